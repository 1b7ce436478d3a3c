import Dispatch
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Keys of defaults as observables, and the search through suites.
struct ObservedDefaultTests {
    @Test(arguments: Backend.allCases)
    func aKeyIsObserved(backend: Backend) async throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        let other = GroupDefaults(container: bench.container)
        let told = Log<Int?>()
        let subscription = defaults.observe("k", as: Int.self).sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first { $0 == nil } != nil)
        try other.set(1, forKey: "k")
        #expect(await told.first { $0 == 1 } != nil)
        try other.set(1, forKey: "k")
        try other.set(2, forKey: "other")
        try other.removeObject(forKey: "k")
        #expect(await told.reach { $0.last == .some(nil) && $0.count > 2 })
        try other.set("text", forKey: "k")
        try other.set(3, forKey: "k")
        #expect(await told.first { $0 == 3 } != nil)
        #expect(told.elements.compactMap { $0 } == [1, 3])
        #expect(defaults.observe("k", as: Int.self).value == 3)
    }

    /// Otherwise each change of the key would take one more job, to notify nobody.
    @Test(arguments: Backend.allCases)
    func anObservedKeyIsNotTracked(backend: Backend) async throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        try defaults.set(1, forKey: "k")
        let told = Log<Int?>()
        let subscription = defaults.observe("k", as: Int.self).sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first { $0 == 1 } != nil)
        #expect(try !defaults.own.file(forKey: "k").tracking.wantsNotify())
    }

    /// G4: also where the last value equals one that was reported, and another was looked up meanwhile. This depends on
    /// timing: the defect lost the last value in some rounds of a hundred.
    @Test(arguments: Backend.allCases)
    func G4_theLastOfManyQuickChangesIsTold(backend: Backend) async throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        try defaults.set(true, forKey: "k")
        for round in 0..<100 {
            let told = Log<Bool?>()
            let queue = DispatchQueue(label: "test.queue")
            let subscription = defaults.observe("k", as: Bool.self).sink(on: round % 2 == 0 ? queue : nil) {
                told.append($0)
            }
            defer { subscription.cancel() }
            #expect(await told.first { _ in true } == true)
            for value in [false, true, false, true, false, true, false, true] { try defaults.set(value, forKey: "k") }
            try #require(await told.reach(within: .beforeTheHeartbeat) { $0.last == true })
        }
    }

    /// G3: a value that came and went while nobody asked for the next one is no change.
    @Test(arguments: Backend.allCases)
    func G3_aSequenceDoesNotTellTheSameTwiceInARow(backend: Backend) async throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        try defaults.set(1, forKey: "k")
        let observed = defaults.observe("k", as: Int.self)
        let witness = Log<Int?>()
        let watching = observed.sink { witness.append($0) }
        defer { watching.cancel() }
        var iterator = observed.values.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        try defaults.set(2, forKey: "k")
        #expect(await witness.first { $0 == 2 } != nil)
        try defaults.set(1, forKey: "k")
        #expect(await witness.reach { $0.last == 1 && $0.contains(2) })
        let next = Task { [iterator] in
            var iterator = iterator
            return await iterator.next()
        }
        // Nothing comes.
        try await Task.sleep(for: .milliseconds(50))
        try defaults.set(3, forKey: "k")
        #expect(await next.value == 3)
    }

    @Test(arguments: Backend.directories)
    func anotherProcessIsObserved(backend: Backend) async throws {
        let bench = try backend.make()
        let folder = try #require(bench.folder)
        let defaults = GroupDefaults(container: bench.container)
        var numbers = defaults.observe("luckyNumber", as: Int.self).values.makeAsyncIterator()
        #expect(await numbers.next() == .some(nil))
        for number in 1...3 {
            try await folder.shell("echo \(number) > c/luckyNumber")
            #expect(await numbers.next() == number)
        }
    }

    /// Decoding runs the type's own code, which may cancel the subscription, or be running when another thread cancels
    /// it.
    private struct Canceller: Codable, Sendable {
        static let subscription = Guarded<Subscription?>(nil)
        var number: Int

        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(Int.self)
            if number == 2 { Self.subscription.withLock { $0 }?.cancel() }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    @Test(.serialized, arguments: [false, true])
    func whatIsCancelledWhileItDecodesIsNotDelivered(onQueue: Bool) async throws {
        let defaults = GroupDefaults(container: GroupContainer.inMemory())
        let told = Log<Int>()
        let all = Log<Int>()
        let queue = onQueue ? DispatchQueue(label: "told") : nil
        let subscription = defaults.observe("k", as: Canceller.self).sink(on: queue) { told.append($0?.number ?? 0) }
        Canceller.subscription.withLock { $0 = subscription }
        defer { Canceller.subscription.withLock { $0 = nil } }
        #expect(await told.first { $0 == 0 } != nil)
        try defaults.set(1, forKey: "k")
        #expect(await told.first { $0 == 1 } != nil)
        let other = defaults.observe("k", as: Int.self).sink(on: queue) { all.append($0 ?? 0) }
        defer { other.cancel() }
        try defaults.set(2, forKey: "k")
        #expect(await all.first { $0 == 2 } != nil)
        // The cancelled subscription's handler would have been called by now: on the queue it would come first, without
        // one soon.
        #expect(await !told.reach(within: .milliseconds(200)) { $0.last == 2 })
        #expect(told.elements == [0, 1])
    }

    @Test func theSearchGoesFromTheOwnSuiteThroughTheAddedToTheRegistered() async throws {
        let (own, first, second) = (GroupContainer.inMemory(), GroupContainer.inMemory(), GroupContainer.inMemory())
        let defaults = GroupDefaults(container: own)
        defaults.register(defaults: ["k": "registered"])
        let told = Log<String?>()
        let subscription = defaults.observe("k", as: String.self).sink { told.append($0) }
        defer { subscription.cancel() }
        func expect(_ value: String) async {
            #expect(defaults.string(forKey: "k") == value)
            #expect(await told.reach { $0.last == value }, "\(told.elements)")
        }
        await expect("registered")
        try GroupDefaults(container: second).set("second", forKey: "k")
        defaults.addSuite(named: "first", first)
        defaults.addSuite(named: "second", second)
        await expect("second")
        try GroupDefaults(container: first).set("first", forKey: "k")
        await expect("first")
        try defaults.set("own", forKey: "k")
        await expect("own")
        #expect(try first.currentNames() == ["k"])
        try defaults.removeObject(forKey: "k")
        await expect("first")
        defaults.removeSuite(named: "first")
        await expect("second")
        defaults.removeSuite(named: "second")
        await expect("registered")
        GroupDefaults(container: own).register(defaults: ["k": "again"])
        await expect("again")
        try GroupDefaults(container: second).set("unseen", forKey: "k")
        #expect(defaults.dictionaryRepresentation()["k"] as? String == "again")
    }

    /// To Swift the two names are equal strings; as directories they differ.
    @Test func suitesWhoseNamesLookEqualAreTwo() throws {
        let (first, second) = (GroupContainer.inMemory(), GroupContainer.inMemory())
        let defaults = GroupDefaults(container: .inMemory())
        try GroupDefaults(container: second).set("second", forKey: "k")
        defaults.addSuite(named: "caf\u{E9}", first)
        defaults.addSuite(named: "cafe\u{301}", second)
        #expect(defaults.string(forKey: "k") == "second")
        defaults.removeSuite(named: "caf\u{E9}")
        #expect(defaults.string(forKey: "k") == "second")
    }

    @Test func ofSeveralSuitesTheFirstThatHasAKeyIsRepresented() throws {
        let (own, first, second) = (GroupContainer.inMemory(), GroupContainer.inMemory(), GroupContainer.inMemory())
        let defaults = GroupDefaults(container: own)
        defaults.addSuite(named: "first", first)
        defaults.addSuite(named: "second", second)
        defaults.register(defaults: ["a": "registered", "d": "registered"])
        GroupDefaults(container: second).register(defaults: ["d": "second's", "e": "second's"])
        for (container, text, keys) in [
            (own, "own", ["a"]), (first, "first", ["a", "b"]), (second, "second", ["a", "b", "c"]),
        ] {
            for key in keys { try GroupDefaults(container: container).set(text, forKey: key) }
        }
        #expect(
            defaults.dictionaryRepresentation() as? [String: String]
                == ["a": "own", "b": "first", "c": "second", "d": "registered", "e": "second's"])
        #expect(defaults.string(forKey: "d") == "registered")
        #expect(defaults.string(forKey: "e") == "second's")
    }

    @Test func nothingIsToldAfterCancel() async throws {
        let container = GroupContainer.inMemory()
        let defaults = GroupDefaults(container: container)
        let told = Log<Int?>()
        let subscription = defaults.observe("k", as: Int.self).sink { told.append($0) }
        #expect(await told.first { _ in true } != nil)
        subscription.cancel()
        let witness = Log<Int?>()
        let other = defaults.observe("k", as: Int.self).sink { witness.append($0) }
        defer { other.cancel() }
        try defaults.set(1, forKey: "k")
        #expect(await witness.first { $0 == 1 } != nil)
        #expect(told.elements == [nil])
    }

    /// The key is set all the time, so nobody is ever notified that it is missing; not while the subscription ends,
    /// either. In memory: in a directory, a writer that never pauses would fill the kernel's queue, which other tests
    /// share.
    @Test(arguments: [true, false])
    func whoCancelsIsToldNothingThatNeverWas(cancels: Bool) async throws {
        let bench = try Backend.memory.make()
        let defaults = GroupDefaults(container: bench.container)
        try defaults.set(0, forKey: "k")
        let isOver = Guarded(false)
        let ended = Gate()
        try SystemCalls.Thread.spawn(named: "writer") {
            var number = 0
            while !isOver.withLock({ $0 }) {
                number += 1
                do throws(GroupFileError) { try defaults.set(number, forKey: "k") } catch { Issue.record(error) }
                // Leaves the processors to the threads that subscribe.
                SystemCalls.Thread.sleep(for: .microseconds(50))
            }
            ended.open()
        }
        let missing = Gate()
        await blocking {
            for round in 0..<1000 {
                let told = DispatchSemaphore(value: 0)
                var subscription: Subscription? = defaults.observe("k", as: Int.self).sink { value in
                    if value == nil { missing.open() }
                    told.signal()
                }
                // Sometimes the subscription ends in the midst of its calls.
                if round.isMultiple(of: 2) { for _ in 0..<3 { told.wait() } }
                if cancels { subscription?.cancel() }
                subscription = nil
            }
        }
        isOver.withLock { $0 = true }
        #expect(await ended.opened())
        #expect(!missing.isOpen)
    }

    /// A registered null would hide what another suite has registered.
    @Test func nullIsNotRegistered() async throws {
        let (defaults, added) = (GroupDefaults(container: .inMemory()), GroupContainer.inMemory())
        defaults.addSuite(named: "added", added)
        GroupDefaults(container: added).register(defaults: ["k": 5])
        let told = Log<Int?>()
        let subscription = defaults.observe("n", as: Int.self).sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first { $0 == nil } != nil)
        defaults.register(defaults: ["k": Int?.none as Any, "n": String?.none as Any])
        #expect(defaults.integer(forKey: "k") == 5)
        #expect(defaults.dictionaryRepresentation().keys.sorted() == ["k"])
        defaults.register(defaults: ["n": 1])
        #expect(await told.first { $0 == 1 } != nil)
        #expect(told.elements == [nil, 1])
    }
}
