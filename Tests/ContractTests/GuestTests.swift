import Dispatch
import FileEvents
import Foundation
import GroupFiles
import Observation
import SystemCalls
import TestSupport
import Testing

/// G8, G9, G13 and G15: what a process that embeds the library notices of it.
@Suite(.serialized)
struct GuestTests {
    /// What the kernel tells of each thread of a process; nothing of one that ends just now.
    private func threads(of process: Int32, _ file: String) throws -> [String: String] {
        let tasks = "/proc/\(process)/task"
        var texts: [String: String] = [:]
        for task in try Directory(path: tasks).names() {
            do throws(Errno) {
                texts[task] = try ProcessTable.text("\(tasks)/\(task)/\(file)")
            } catch {
                if error != .noEntry, error != .noProcess { throw error }
            }
        }
        return texts
    }

    /// G8: 31 subscribers that block delay no other.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G8_blockedHandlersDelayNobody(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let program = try Program(.product("probe"), ["blocked", folder.path("c"), "31"])
        try await program.line("blocked 31")
        for value in 1...10 {
            _ = try await Program.run(.command("sh"), ["-ec", "echo \(value) > n; mv n c/w"], directory: folder.path)
            try await program.line("value \(value)")
        }
        // Own writes are told, too, and cancelling waits for nobody but its own handler.
        try await program.line("own 1000")
    }

    /// G8: where every thread of the library is stuck in a handler, a read ends nevertheless, and what is written meanwhile
    /// makes no more to do than the newest.
    @Test func G8_whereEveryThreadIsBlockedNothingPilesUp() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["stalled", folder.path("c")])
        try await program.line("stalled")
        try await program.line("read undecodable", within: .seconds(60))
        let line = try await program.line("waiting ")
        let jobs = try #require(line.split(separator: " ").last.flatMap { Int($0) })
        #expect(jobs < 10, "of 1000 writes")
    }

    /// G8: tasks that wait for a value, or were cancelled while they did, take neither threads nor descriptors.
    @Test(arguments: [nil] + TemporaryDirectory.Place.allCases)
    func G8_tasksThatWaitTakeNoThreads(place: TemporaryDirectory.Place?) async throws {
        let folder = try place.map { try TemporaryDirectory(on: $0) }
        let probe = Program.productsDirectory.appendingPathComponent("probe").path
        let program = try Program(
            .command("sh"),
            ["-c", "ulimit -n 64; exec \"$0\" \"$@\"", probe, "tasks", folder.map { $0.path("c") } ?? "-", "500"])
        let most = try await program.line("most ")
        // One that works, one that waits for the lock, and such as are about to end.
        #expect(try #require(Int(most.dropFirst(5))) < 20)
        try await program.line("value 500")
        #expect(try await program.exit() == .code(0))
        #expect(program.output.elements.allSatisfy { !$0.hasPrefix("error") }, "\(program.output.elements)")
    }

    /// G8: nobody's work is waited for by anybody: idle means idle.
    @Test(.disabled(if: CurrentProcess.hasThreadSanitizer, "the sanitizer's own thread wakes up"))
    func G8_anIdleProcessIsNotWokenUp() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["idle", folder.path("c")])
        try await program.line("watching 60")
        let identifier = program.processIdentifier
        func switches() throws -> [String] {
            try threads(of: identifier, "status").map { task, status in
                let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
                return "\(task) \(line ?? "")"
            }.sorted()
        }
        // It has just begun, and closes what it kept open after its last write: wait until nothing has happened for a
        // second, then count for five.
        var before: [String] = []
        var lastSwitch = ContinuousClock.now
        let isAsleep = try await eventually {
            let now = try switches()
            if now != before {
                before = now
                lastSwitch = .now
            }
            return .now - lastSwitch > .seconds(1)
        }
        #expect(isAsleep)
        // One reads, the other one keeps the time.
        #expect(try threads(of: identifier, "comm").values.filter { $0.hasPrefix("group-files") }.count == 2)
        before = try switches()
        try await Task.sleep(for: .seconds(5))
        #expect(try switches() == before)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").map {
            do {
                return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(identifier)/fd/\($0)")
            } catch {
                return ""
            }
        }
        #expect(descriptors.filter { $0.contains("inotify") }.count == 1, "\(descriptors)")
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G9_closingEverythingBringsTheDescriptorsBack(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let outcome = try await Program.run(.product("probe"), ["descriptors", folder.path("c")])
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first?.split(separator: " ").last == lines.last?.split(separator: " ").last, "\(outcome)")
        #expect(lines.count == 2)
    }

    /// G13: once `cancel()` has returned, the handler does not start again, and is not running.
    @Test func G13_noCallbackAfterCancel() async throws {
        let folder = try TemporaryDirectory(on: .memory)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        let isOver = Guarded(false)
        let ended = Log<Bool>()
        let writer = Thread {
            var value = 0
            while !isOver.withLock({ $0 }) {
                value += 1
                do { try file.write(value) } catch { Issue.record(error) }
            }
            ended.append(true)
        }
        writer.start()
        for _ in 0..<500 {
            let state = Guarded((isCancelled: false, isRunning: false, late: 0))
            let called = Log<Void>()
            let subscription = file.sink { _ in
                state.withLock { state in
                    if state.isCancelled { state.late += 1 }
                    state.isRunning = true
                }
                called.append(())
                state.withLock { $0.isRunning = false }
            }
            // It is told of one value after the other now.
            #expect(await called.first { true } != nil)
            subscription.cancel()
            let (isRunning, late) = state.withLock { state in
                state.isCancelled = true
                return (state.isRunning, state.late)
            }
            #expect(!isRunning && late == 0)
            #expect(state.withLock(\.late) == 0)
        }
        isOver.withLock { $0 = true }
        #expect(await ended.first { _ in true } != nil)
    }

    /// What can be subscribed to.
    enum Subject: CaseIterable, Sendable {
        case value, key, names

        func sink(in container: GroupContainer, _ handler: @escaping @Sendable () -> Void) throws -> Subscription {
            switch self {
            case .value: try GroupFile("v", in: container, initialValue: 0).sink { _ in handler() }
            case .key: GroupDefaults(container: container).observe("v", as: Int.self).sink { _ in handler() }
            case .names: container.names.sink { _ in handler() }
            }
        }
    }

    /// G13: `cancel()` waits for the call that another thread is making.
    @Test(arguments: Subject.allCases)
    func G13_cancelWaitsForTheHandlerThatRuns(subject: Subject) async throws {
        let running = Log<Void>()
        let returned = Log<Bool>()
        let release = DispatchSemaphore(value: 0)
        let hasEnded = Guarded(false)
        let subscription = try subject.sink(in: .inMemory()) {
            running.append(())
            release.wait()
            hasEnded.withLock { $0 = true }
        }
        #expect(await running.first { true } != nil)
        let cancelling = Log<String>()
        let canceller = Thread {
            do { cancelling.append(try Path.linkTarget(of: "/proc/thread-self")) } catch { Issue.record(error) }
            subscription.cancel()
            returned.append(hasEnded.withLock { $0 })
        }
        canceller.start()
        let thread = try #require(await cancelling.first { _ in true })
        // Asleep, it waits; whoever does not wait is back.
        let isAsleep = try await eventually {
            try !returned.elements.isEmpty || ProcessTable.text("/proc/\(thread)/stat").contains(") S ")
        }
        #expect(isAsleep && returned.elements.isEmpty)
        release.signal()
        #expect(await returned.first { _ in true } == true)
    }

    @Test func G13_aHandlerMayCancelItselfAndOthers() async throws {
        let folder = try TemporaryDirectory(on: .memory)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        let box = Guarded<[Subscription]>([])
        let told = Log<Int>()
        for _ in 0..<2 {
            let subscription = file.sink { value in
                if value == 0 { return }
                for other in box.withLock({ $0 }) { other.cancel() }
                told.append(value)
            }
            box.withLock { $0.append(subscription) }
        }
        // Comes after them.
        let witness = Log<Int>()
        let last = file.sink { witness.append($0) }
        try await file.write(1)
        #expect(await told.first { _ in true } == 1)
        try await file.write(2)
        #expect(await witness.first { $0 == 2 } != nil)
        #expect(!told.elements.contains(2))
        last.cancel()
    }

    enum Handler: CaseIterable, Sendable {
        case tracking, trackingOfASubject, encoding, decoding
    }

    /// Handlers of Observation and codecs are called by this library, too.
    @Test(arguments: Handler.allCases)
    func G13_noHandlerWaits(handler: Handler) async throws {
        let blocked = ValueSubject(0)
        let running = Log<Void>()
        let release = DispatchSemaphore(value: 0)
        let results = Log<DispatchTimeoutResult>()
        let subscription = blocked.sink { value in
            if value == 0 { return }
            running.append(())
            results.append(release.wait(timeout: .now() + .seconds(20)))
        }
        let sender = Thread { blocked.send(1) }
        sender.start()
        #expect(await running.first { true } != nil)
        let cancel: @Sendable () -> Void = {
            subscription.cancel()
            release.signal()
        }
        let container = GroupContainer.inMemory()
        let (file, subject) = (try GroupFile("v", in: container, initialValue: 0), ValueSubject(0))
        let isArmed = Guarded(false)
        let codec = GroupCodec<Data>(
            encode: { data in
                if handler == .encoding, isArmed.withLock({ $0 }) { cancel() }
                return data
            },
            decode: { data in
                if handler == .decoding, isArmed.withLock({ $0 }) { cancel() }
                return data
            })
        let coded = try GroupFile("v", in: container, initialValue: Data(), codec: codec)
        isArmed.withLock { $0 = true }
        switch handler {
        case .tracking:
            withObservationTracking({ _ = file.value }, onChange: cancel)
            try await file.write(1)
        case .trackingOfASubject:
            withObservationTracking({ _ = subject.value }, onChange: cancel)
            subject.send(1)
        case .encoding: try await coded.write(Data("1".utf8))
        case .decoding:
            try await file.write(1)
            try await coded.read()
        }
        #expect(await results.first { _ in true } == .success)
    }

    /// A file observer's handler is one of this library's, too.
    @Test func G13_anObserversHandlerDoesNotWait() async throws {
        let folder = try TemporaryDirectory()
        let subject = ValueSubject(0)
        let running = Log<Void>()
        let release = DispatchSemaphore(value: 0)
        let results = Log<DispatchTimeoutResult>()
        let subscription = subject.sink { value in
            if value == 0 { return }
            running.append(())
            results.append(release.wait(timeout: .now() + .seconds(60)))
        }
        let observer = FileObserver(path: folder.path("f"), eventMask: .write)
        observer.setEventHandler {
            subscription.cancel()
            release.signal()
        }
        observer.activate()
        let sender = Thread { subject.send(1) }
        sender.start()
        #expect(await running.first { true } != nil)
        try folder.write("1", to: "f")
        #expect(await results.first { _ in true } == .success)
        observer.cancel()
    }

    /// G15: the library's threads block all signals.
    @Test(.disabled(if: CurrentProcess.hasThreadSanitizer, "the sanitizer has signal handlers"))
    func G15_signalsAreLeftToTheProgram() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["idle", folder.path("c")])
        try await program.line("watching 60")
        var own = 0
        for status in try threads(of: program.processIdentifier, "status").values {
            let lines = status.split(separator: "\n")
            guard lines.first?.hasSuffix("group-files") ?? false || lines.first?.contains("group-files") ?? false else {
                continue
            }
            own += 1
            let blocked = try #require(lines.first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last)
            let mask = try #require(UInt64(blocked, radix: 16))
            for signal in [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGALRM, SIGCHLD] {
                #expect(mask & 1 << UInt64(signal - 1) != 0, "signal \(signal) in \(lines[0])")
            }
        }
        #expect(own >= 2)
        let status = try String(contentsOfFile: "/proc/\(program.processIdentifier)/status", encoding: .utf8)
        let caught = try #require(
            status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last)
        // 32 and 33 are the C library's own.
        #expect(try #require(UInt64(caught, radix: 16)) & ~(0b11 << 31) == 0, "\(caught)")
    }

    /// G15 and G5: a child that leaves the body of an update in which it was forked neither writes nor frees the lock.
    @Test func G15_aChildForkedWithinAnUpdateDoesNothing() async throws {
        let folder = try TemporaryDirectory()
        let outcome = try await Program.run(.product("probe"), ["fork-within", folder.path("c"), "v"])
        #expect(outcome.output == "child forked\nparent has the lock\nparent 1", "\(outcome)")
    }

    @Test func G15_aForkedChildIsRefused() async throws {
        let folder = try TemporaryDirectory()
        let outcome = try await Program.run(.product("probe"), ["fork", folder.path("c"), "v"])
        #expect(outcome.output == "child forked\nchild forked\nchild forked\nparent 3", "\(outcome)")
    }

    /// Also where there is nothing to do.
    @Test func G15_aForkedChildsDefaultsAreRefused() async throws {
        let folder = try TemporaryDirectory()
        let outcome = try await Program.run(
            .product("probe"), ["fork-defaults", "group.example"], environment: ["GROUP_CONTAINERS": folder.path])
        #expect(outcome.output == "parent 0\nchild ends", "\(outcome)")
        #expect(try Directory(path: folder.path).names() == [])
    }

    /// G15 and G4: what a child lets go of, its parent is told of still.
    @Test func G15_aForkedChildThatLetsGoTakesNothingFromItsParent() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1\n", to: "there")
        try folder.write("7\n", to: "other")
        let outcome = try await Program.run(.product("probe"), ["fork-letting-go", folder.path])
        #expect(outcome.output == "parent 7 1", "\(outcome)")
    }

    /// G15: a child that was forked between two changes has nothing to do with the lock of the second one.
    @Test func G15_aChildForkedBetweenChangesDoesNotKeepTheLock() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["fork-between", folder.path("c"), "v"])
        let line = try #require(await program.output.first { $0.hasPrefix("child ") })
        let child = try #require(Int32(line.dropFirst(6)))
        defer { _ = kill(child, SIGKILL) }
        program.signal(SIGKILL)
        #expect(try await program.exit() == .signal(SIGKILL))
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .seconds(10))
        await #expect(throws: Never.self) { try await file.write(2) }
    }

    /// G10: a value stays its owner's, also where the writer changes who he is.
    @Test(.enabled(if: CurrentProcess.effectiveUser == 0, "only root can write in the name of others"))
    func G10_theOwnerStaysWhereTheWriterChangesHisUser() async throws {
        let folder = try TemporaryDirectory()
        let isOpen = unsafe chmod(folder.path, 0o755) == 0
        #expect(isOpen)
        let outcome = try await Program.run(.product("probe"), ["users", folder.path("c"), "v"])
        #expect(outcome.output == "owner 65534", "\(outcome)")
    }
}
