import Dispatch
import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

/// How a path that leads into a file system that does not answer affects all other paths.
struct UnansweringPathTests {
    /// Runs `body` while the walk along `link/f` hangs: the link led to `quick`, and now leads to `slow`, which does
    /// not answer.
    private func whileAWalkHangs(
        in folder: TemporaryDirectory, _ body: @Sendable (_ start: Moment, _ end: Moment) throws -> Void
    ) async throws {
        try await whileALookHangs(at: folder.path("slow")) { isStuck, start, end in
            let root = try Directory(path: folder.path)
            try root.rename("new", to: "link", in: root, .replace)
            #expect(isStuck.wait(within: end - .now))
            try body(start, end)
        }
    }

    /// So that nothing counts as settled which has only not been reported yet. But the wait ends.
    @Test func whatComesAfterEventsWaitsForTheirWalks() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir slow quick; ln -s quick link; ln -s slow new; touch quick/f slow/f")
        let observer = FileObserver(path: folder.path("link/f"))
        observer.activate()
        defer { observer.cancel() }
        try await whileAWalkHangs(in: folder) { start, end in
            let passed = Log<Moment>()
            EventBarrier.whenPassed { passed.append(.now) }
            wait(for: passed, until: end)
            let waited = passed.elements.first.map { $0 - start }
            #expect(waited ?? .zero >= .seconds(1), "\(String(describing: waited))")
        }
    }

    @Test func whoseWalkIsStuckHoldsUpNobodyElse() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir slow quick other; ln -s quick link; ln -s slow new; touch quick/f slow/f other/f")
        let (stuck, free) = (FileObserver(path: folder.path("link/f")), FileObserver(path: folder.path("other/f")))
        let (toldStuck, toldFree) = (stuck.logEvents(), free.logEvents())
        stuck.activate()
        free.activate()
        defer {
            stuck.cancel()
            free.cancel()
        }
        try await whileAWalkHangs(in: folder) { _, end in
            try folder.write("1", to: "other/f")
            wait(for: toldFree, until: end)
            #expect(!toldFree.elements.isEmpty && toldStuck.elements.isEmpty)
        }
        #expect(await toldStuck.first { _ in true } != nil)
    }

    /// Where the kernel does not report all changes, as on another machine's file system, a look may take any amount of
    /// time, also when an event causes it.
    @Test func whatIsPolledAndDoesNotAnswerHoldsUpNobodyElse() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir top top/slow other; touch top/slow/f other/f")
        let (stuck, free) = (FileObserver(path: folder.path("top/slow/f")), FileObserver(path: folder.path("other/f")))
        let toldFree = free.logEvents()
        defer {
            stuck.cancel()
            free.cancel()
        }
        let (isStuck, mayGoOn) = (Gate(), DispatchSemaphore(value: 0))
        let (top, slow) = (folder.path("top"), folder.path("top/slow/f"))
        let isArmed = Guarded(false)
        try await blocking {
            try SystemCallTap.tapping(everyThread: true) { call, detail in
                // The path is polled, because one directory on the way cannot be watched.
                if call == .inotify_add_watch, detail == top { return .fail(.noSpace) }
                if call == .fstatat, detail == slow, isArmed.withLock({ $0 }), !isStuck.isOpen {
                    isStuck.open()
                    mayGoOn.wait()
                }
                return .none
            } during: {
                defer { mayGoOn.signal() }
                stuck.activate()
                free.activate()
                let end = Moment.now + .seconds(20)
                isArmed.withLock { $0 = true }
                try folder.write("1", to: "top/slow/f")
                isStuck.wait(within: end - .now)
                try folder.write("1", to: "other/f")
                wait(for: toldFree, until: end)
                #expect(isStuck.isOpen && !toldFree.elements.isEmpty)
            }
        }
    }

    /// A machine that starts containers mounts again and again: each mount would tie up a thread until the walk ends.
    @Test func whoseWalkIsStuckTakesNoThreadForEachMount() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir slow quick; ln -s quick link; ln -s slow new")
        let recorder = Recorder()
        let watch = PathWatch(path: folder.path("link"), leaf: nil, delegate: recorder)
        defer { watch.cancel() }
        try await whileAWalkHangs(in: folder) { _, end in
            let returned = Gate()
            try Thread.spawn(named: "test-mounts") {
                for _ in 0..<100 { watch.mountsChanged() }
                returned.open()
            }
            #expect(returned.wait(within: end - .now))
        }
    }

    /// Neither asking for the watch's health nor cancelling it waits.
    @Test func whoseWalkIsStuckIsAskedAndCancelledAtOnce() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir slow quick; ln -s quick link; ln -s slow new")
        let recorder = Recorder()
        let watch = PathWatch(path: folder.path("link"), leaf: nil, delegate: recorder)
        try await whileAWalkHangs(in: folder) { _, end in
            let asked = Log<WatchHealth>()
            let cancelled = Gate()
            try Thread.spawn(named: "test-cancel") {
                asked.append(watch.health)
                watch.cancel()
                cancelled.open()
            }
            #expect(cancelled.wait(within: end - .now) && asked.elements == [.live])
            #expect(try KernelWatch.events(of: folder.path) != nil)
        }
        // Once the walk is over, its watches are removed, and nothing that it found is reported.
        try #require(await eventually { try KernelWatch.events(of: folder.path) == nil })
        #expect(recorder.log.elements == [])
    }

    /// As where a file system is mounted on first use, or mounted again: the directory may have been watched before.
    @Test(arguments: [false, true])
    func whatDoesNotAnswerWhenItIsToBeWatchedHoldsUpNobodyElse(wasWatched: Bool) async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir slow other; touch other/f")
        let slow = folder.path("slow")
        let free = FileObserver(path: folder.path("other/f"))
        let told = free.logEvents()
        free.activate()
        let watch = PathWatch(path: slow, leaf: nil, delegate: Recorder())
        defer {
            free.cancel()
            watch.cancel()
        }
        if wasWatched {
            try await folder.shell("rmdir slow")
            try #require(await eventually { watch.target == nil })
        } else {
            watch.cancel()
        }
        let another = Log<PathWatch>()
        try await whileALookHangs(at: slow + "/.") { isStuck, _, end in
            if wasWatched {
                try Directory(path: folder.path).makeDirectory("slow", permissions: 0o700)
            } else {
                try Thread.spawn(named: "test-open") {
                    another.append(PathWatch(path: slow, leaf: nil, delegate: Recorder()))
                }
            }
            isStuck.wait(within: end - .now)
            try folder.write("1", to: "other/f")
            wait(for: told, until: end)
            #expect(isStuck.isOpen && !told.elements.isEmpty && another.elements.isEmpty)
        }
        if wasWatched {
            #expect(await eventually { watch.target != nil && watch.health == .live })
        } else {
            #expect(await another.first { $0.health == .live }?.cancel() != nil)
        }
    }

    /// More looks than there are threads. Each one that is stuck keeps a thread.
    @Test func manyThatAreStuckHoldUpNobodyElse() async throws {
        let folder = try TemporaryDirectory()
        let names = (0..<80).map { "d\($0)" }
        try await folder.shell("mkdir other slow; cd slow; mkdir \(names.joined(separator: " ")); touch ../other/f")
        let slow = folder.path("slow")
        let free = FileObserver(path: folder.path("other/f"))
        let told = free.logEvents()
        free.activate()
        // The watches have slots of their own, so that no other test waits for one.
        let slots = WalkSlots(4)
        let recorder = Recorder()
        let watches = names.map {
            PathWatch(
                path: folder.path("slow/\($0)"), leaf: nil, usesNotifications: false, walkSlots: slots,
                delegate: recorder)
        }
        defer {
            free.cancel()
            for watch in watches { watch.cancel() }
        }
        let (stuck, mayGoOn) = (Log<String>(), DispatchSemaphore(value: 0))
        await blocking {
            SystemCallTap.tapping(everyThread: true) { call, detail in
                if call == .fstatat, detail.hasPrefix(slow) {
                    stuck.append(detail)
                    mayGoOn.wait()
                    mayGoOn.signal()
                }
                return .none
            } during: {
                defer { mayGoOn.signal() }
                let end = Moment.now + .seconds(20)
                while stuck.elements.count < 4, Moment.now < end { Thread.sleep(for: .milliseconds(1)) }
                // All alarms have rung by then: they are a quarter of a second apart at first.
                Thread.sleep(for: .milliseconds(500))
                let result = Result { try folder.write("1", to: "other/f") }
                wait(for: told, until: end)
                #expect(throws: Never.self) { try result.get() }
                #expect(!told.elements.isEmpty && stuck.elements.count == 4)
            }
        }
    }

    /// Something was mounted, and the place that one of the paths leads to does not answer. The other paths are looked
    /// at all the same.
    @Test func whatIsMountedIsLookedForElsewhere() async throws {
        let folder = try TemporaryDirectory()
        let names = (0..<10).map { "d\($0)" }
        try await folder.shell("mkdir slow \(names.joined(separator: " "))")
        let (recorder, looks) = (Recorder(), names.map { _ in Looks() })
        var watches = [PathWatch(path: folder.path("slow"), leaf: nil, delegate: recorder)]
        for (name, look) in zip(names, looks) {
            watches.append(PathWatch(path: folder.path(name), leaf: nil, delegate: look))
        }
        defer { for watch in watches { watch.cancel() } }
        try await whileALookHangs(at: folder.path("slow")) { isStuck, _, end in
            WatchHub.shared.mountsChanged()
            isStuck.wait(within: end - .now)
            for look in looks { wait(for: look.log, until: end) }
            #expect(looks.count { $0.log.elements.isEmpty } == 0)
        }
    }

    /// Neither the file nor, with `isOnTheWay`, a directory above it can be looked at.
    @Test(arguments: [false, true])
    func whatCannotBeLookedAtIsNotGone(isOnTheWay: Bool) async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir d d/e; echo 1 > d/e/f")
        let observer = FileObserver(path: folder.path("d/e/f"))
        let told = observer.logEvents()
        observer.activate()
        defer { observer.cancel() }
        let refused = folder.path(isOnTheWay ? "d/e" : "d/e/f")
        let refusals = Log<String>()
        try await blocking {
            try SystemCallTap.tapping(everyThread: true) { call, detail in
                guard call == .fstatat, detail == refused else { return .none }
                refusals.append(detail)
                return .fail(isOnTheWay ? .accessDenied : .noMemory)
            } during: {
                if isOnTheWay {
                    // Who may enter the directory may have changed, so the path is walked again.
                    try Directory(path: folder.path("d")).setPermissions(0o711, of: "e")
                } else {
                    try folder.write("2", to: "d/e/f")
                }
                wait(for: refusals, until: .now + .seconds(20))
            }
        }
        #expect(!refusals.elements.isEmpty)
        try folder.write("34", to: "d/e/f")
        #expect(await told.first(within: .beforeTheHeartbeat) { $0.contains(.write) } != nil)
        #expect(told.elements.allSatisfy { !$0.contains(.delete) }, "\(told.elements)")
        try await folder.shell("rm d/e/f")
        #expect(await told.first(within: .beforeTheHeartbeat) { $0.contains(.delete) } != nil)
    }

    @Test func whatWaitsForLongIsForgottenForALookAtEverything() {
        var tasks = PathTasks()
        var jobs = 0
        for _ in 0..<1000 where tasks.append(.events([], lostEvents: false)) { jobs += 1 }
        var (count, hasLost) = (0, false)
        while let task = tasks.next() {
            count += 1
            if case .events(_, lostEvents: true) = task { hasLost = true }
        }
        #expect(count <= 64 && hasLost && jobs == 1)
        let isBegunAnew = tasks.append(.walk(.time))
        #expect(isBegunAnew)
    }
}
