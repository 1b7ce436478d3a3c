import Dispatch
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Values that are objects: their `deinit` changes the file whose value they were, or they change in place.
struct ObjectValueTests {
    /// Writes 0 to its entry in `files`, if it has one, when it is released for the first time.
    private final class Record: Codable, Sendable {
        static let lastNumber = Guarded(0)
        static let files = Guarded<[Int: GroupFile<Record>]>([:])
        static let outcomes = Log<(number: Int, outcome: Result<Void, GroupFileError>)>()
        let number: Int

        init(_ number: Int) {
            self.number = number
        }

        deinit {
            guard let file = Self.files.withLock({ $0.removeValue(forKey: number) }) else { return }
            let outcome = Result { () throws(GroupFileError) in try file.write(Record(0)) }
            Self.outcomes.append((number, outcome))
        }
    }

    /// A value that came in from elsewhere while the change waited for the lock is released within the change: its
    /// `deinit` must not wait for the lock that its own thread holds.
    @Test(arguments: [Change.write, .asyncWrite])
    func whatCameDuringTheWaitDoesNotWaitForItselfInItsDeinit(change: Change) async throws {
        let folder = try TemporaryDirectory()
        let root = try Directory(path: folder.path)
        let container = try GroupContainer(directory: folder.path)
        let file = try GroupFile("v", in: container, initialValue: Record(0), lockTimeout: .testDeadline)
        let number = Record.lastNumber.increment()
        let control = try Directory(path: folder.path(".groupfile"))
        let lock = FileLock(try control.open("v.lock", .readWrite))
        try #require(try lock.tryLock())
        async let changed: Void = blockingWrite(change, file)
        // A waiter marks the lock's file by its size.
        try #require(await eventually { try control.status(of: "v.lock").size >= 1024 })
        try folder.write("{\"number\":\(number)}", to: "other")
        try root.rename("other", to: "v", .replace)
        try #require(await eventually { file.value.number == number })
        Record.files.withLock { $0[number] = file }
        lock.unlock()
        try await changed
        let found = await Record.outcomes.first { $0.number == number }
        if case .failure(let error) = found?.outcome { #expect(error.code == .nested, "\(error)") }
        #expect(found != nil)
    }

    private func blockingWrite(_ change: Change, _ file: GroupFile<Record>) async throws {
        if change == .asyncWrite { return try await file.write(Record(-1)) }
        try await blocking { try file.write(Record(-1)) }
    }

    private struct Failed: Error {}

    /// Counts in place.
    private final class Tally: Codable, Sendable {
        let count: Guarded<Int>

        init(_ count: Int) {
            self.count = Guarded(count)
        }

        init(from decoder: any Decoder) throws {
            count = Guarded(try decoder.singleValueContainer().decode(Int.self))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(count.withLock { $0 })
        }

        var number: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    /// An update works on an object of its own: nobody sees that object's changes before the update ends, or if it
    /// fails.
    @Test(arguments: Backend.allCases)
    func anObjectThatAnUpdateChangesIsItsOwn(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: Tally(0))
        // Within synchronous local functions, the synchronous overloads are called.
        func write(_ tally: Tally) throws { try file.write(tally) }
        func update(_ body: (Tally) throws -> Void) throws { try file.update { tally in try body(tally) } }
        func remove() throws { try file.remove() }
        try write(Tally(5))
        let held = file.value
        #expect(throws: Failed.self) {
            try update { tally in
                tally.add()
                throw Failed()
            }
        }
        await #expect(throws: Failed.self) {
            try await file.update { tally in
                tally.add()
                throw Failed()
            }
        }
        #expect(file.value.number == 5)
        try update { tally in
            tally.add()
            #expect(held.number == 5 && file.value.number == 5)
        }
        #expect(file.value.number == 6)
        // Nor does an update change the initial value.
        try remove()
        try update { $0.add() }
        try remove()
        #expect(file.value.number == 0 && file.initialValue.number == 0)
    }

    enum Change: CaseIterable, Sendable {
        case write, update, updateThatFails, remove, asyncWrite, asyncUpdate, asyncUpdateThatFails, asyncRemove
    }

    /// The value that a change replaces is released after the lock, or within the body of an awaited update, where the
    /// `deinit`'s change throws `.nested`.
    @Test(arguments: Change.allCases, Backend.allCases)
    func whatIsReplacedMayChangeTheValueInItsDeinit(change: Change, backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: Record(0), lockTimeout: .testDeadline)
        let number = Record.lastNumber.increment()
        func begin() throws {
            try file.write(Record(number))
            Record.files.withLock { $0[number] = file }
        }
        func writeNow() throws { try file.write(Record(-1)) }
        func updateNow() throws { try file.update { $0 = Record(-1) } }
        func removeNow() throws { try file.remove() }
        func fail() throws {
            try file.write(Record(-1))
            Record.files.withLock { $0[number] = file }
            try file.update { value throws(Failed) in
                value = Record(number)
                throw Failed()
            }
        }
        switch change {
        case .write:
            try begin()
            try writeNow()
        case .update:
            try begin()
            try updateNow()
        case .updateThatFails: #expect(throws: Failed.self) { try fail() }
        case .remove:
            try begin()
            try removeNow()
        case .asyncWrite:
            try begin()
            try await file.write(Record(-1))
        case .asyncUpdate:
            try begin()
            try await file.update { value async in value = Record(-1) }
        case .asyncRemove:
            try begin()
            try await file.remove()
        case .asyncUpdateThatFails:
            try await file.write(Record(-1))
            Record.files.withLock { $0[number] = file }
            await #expect(throws: Failed.self) {
                try await file.update { value async throws -> Void in
                    value = Record(number)
                    throw Failed()
                }
            }
        }
        let found = await Record.outcomes.first { $0.number == number }
        switch found?.outcome {
        // An awaited update may start over after the `deinit`'s change.
        case .success: #expect(file.value.number == (change == .asyncUpdate ? -1 : 0))
        case .failure(let error): #expect(change == .asyncUpdate && error.code == .nested, "\(error)")
        case nil: Issue.record("it was not released")
        }
    }

    /// When it is released for the first time, waits until a task has changed the value.
    private final class Follower: Codable, Sendable {
        private let file: Guarded<GroupFile<Follower>?>

        init(of file: GroupFile<Follower>?) {
            self.file = Guarded(file)
        }

        convenience init(from decoder: any Decoder) { self.init(of: nil) }
        func encode(to encoder: any Encoder) throws { try file.withLock { $0 != nil }.encode(to: encoder) }

        deinit {
            guard let file = file.withLock({ $0 }) else { return }
            let isOver = DispatchSemaphore(value: 0)
            Task {
                defer { isOver.signal() }
                await #expect(throws: Never.self) { try await file.write(Follower(of: nil)) }
            }
            #expect(isOver.wait(timeout: .now() + .seconds(Int(Duration.testDeadline.components.seconds))) == .success)
        }
    }

    /// A call releases the value that it replaces on a thread of the library, and by then its turn is over, too.
    @Test(arguments: [Change.asyncWrite, .asyncRemove], Backend.allCases)
    func aTaskMayHaveItsTurnInADeinit(change: Change, backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: Follower(of: nil))
        func begin() throws { try file.write(Follower(of: file)) }
        try begin()
        if change == .asyncWrite { try await file.write(Follower(of: nil)) } else { try await file.remove() }
        // Its `deinit` has ended.
        #expect(file.status == .current)
    }

    /// The object that an update's body changes is the one that is already known.
    private final class Counter: Codable, Sendable {
        let number: Guarded<Int>

        private enum CodingKeys: CodingKey { case number }

        init(_ number: Int) {
            self.number = Guarded(number)
        }

        init(from decoder: any Decoder) throws {
            number = Guarded(try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number.withLock { $0 }, forKey: .number)
        }
    }

    /// G5: also where the content that was there differed from the new one in white space alone.
    @Test(arguments: Backend.allCases)
    func G5_whatAnUpdateChangesInAnObjectIsWritten(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put("{ \"number\": 1 }\n", in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Counter(0))
        #expect(file.value.number.withLock { $0 } == 1)
        for number in 2...3 {
            try file.update { counter in counter.number.withLock { $0 += 1 } }
            #expect(try bench.text(of: "v") == "{\"number\":\(number)}\n")
        }
    }
}
