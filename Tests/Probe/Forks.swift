import Dispatch
import FileEvents
import Glibc
import GroupFiles
import SystemCalls

extension Probe {
    /// Waits until the library's threads are idle, and will be for a while: they may be in Swift's runtime, which has
    /// locks of its own, and a child that is forked meanwhile would find those held for ever.
    static func awaitRest() throws {
        let isRead = DispatchSemaphore(value: 0)
        EventBarrier.whenPassed { isRead.signal() }
        isRead.wait()
        while true {
            let threads = try otherThreads()
            let ring = try Directory(path: "/proc/self/fdinfo").names().contains { ringsSoon($0) }
            let sleep = threads.allSatisfy { $0.contains("State:\tS") }
            // No thread has run for a while: one that keeps time runs every few milliseconds before it rests.
            Thread.sleep(for: .milliseconds(20))
            if !ring, sleep, try otherThreads() == threads { return }
        }
    }

    /// Whether a descriptor of this process is a timer that fires within ten seconds. The timer for the look of every
    /// thirty seconds does not count.
    private static func ringsSoon(_ descriptor: String) -> Bool {
        do throws(Errno) {
            // it_value: (seconds, nanoseconds)
            let text = try ProcessTable.text("/proc/self/fdinfo/\(descriptor)")
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("it_value:") }) else {
                return false
            }
            let left = line.split { !$0.isNumber }.compactMap { Int($0) }
            return left != [0, 0] && left[0] < 10
        } catch {
            return false  // This descriptor lists the others.
        }
    }

    /// The state of each thread of this process except the first, and how often it has had a processor.
    private static func otherThreads() throws -> [String] {
        try Directory(path: "/proc/self/task").names().filter { $0 != "\(getpid())" }.map { thread in
            do throws(Errno) {
                let lines = try ProcessTable.text("/proc/self/task/\(thread)/status").split(separator: "\n")
                return lines.filter { $0.hasPrefix("State:") || $0.contains("ctxt_switches:") }.joined(separator: " ")
            } catch {
                return "it has ended meanwhile"
            }
        }
    }

    /// DIR, with a value `there` and a file `other`: a forked child releases the value `v`, which is missing. Then
    /// `other` is linked as `v`. Prints whether the parent sees it at once.
    static func forkedLettingGo(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0], access: .readOnly)
        let there = try GroupFile("there", in: container, initialValue: 0, access: .readOnly)
        var missing: GroupFile<Int>? = try GroupFile("v", in: container, initialValue: 0, access: .readOnly)
        try awaitRest()
        inChild { missing = nil }
        let directory = try Directory(path: arguments[0])
        try directory.link("other", to: "v")
        // Later, the look of every 30 seconds would find it.
        let end = Moment.now + .seconds(10)
        while Moment.now < end, missing?.value == 0 {}
        say("parent \(missing?.value ?? -1) \(there.value)")
    }

    /// DIR, with a value `v`: forks while a thread of the library reads it, and so holds its locks. Prints how the
    /// child ended, which released everything, and what the parent sees then.
    static func forkedWhileReading(_ arguments: [String]) throws {
        var file: GroupFile<Int>? = try open(arguments[0], "v")
        var (one, other) = (file?.sink { _ in }, file?.sink { _ in })
        try awaitRest()
        let new = try FileDescriptor.open(arguments[0] + "/v", [.writeOnly], permissions: 0)
        try whileValueIsOpened {
            try new.writeAll(Array("7\n".utf8))
        } forks: {
            one?.cancel()
            (one, other, file) = (nil, nil, nil)
        }
        while file?.value != 7 {}
        say("parent 7")
        withExtendedLifetime((one, other)) {}
    }

    /// ROOT GROUP, whose value is 1, without HOME: forks while another thread finds the group of a property, now that
    /// it can be found, and prints what the child's calls return.
    static func forkedWhileOpening(_ arguments: [String]) throws {
        let wrapper = GroupValue(wrappedValue: 0, "v", group: arguments[1])
        unsafe setenv("GROUP_CONTAINERS", arguments[0], 1)
        whileValueIsOpened {
            DispatchQueue.global().async { say("parent \(wrapper.wrappedValue)") }
        } forks: {
            do throws(GroupFileError) {
                try wrapper.projectedValue.write(2)
                say("child wrote")
            } catch {
                say("child \(error.code)")
            }
            wrapper.wrappedValue = 3
        }
        waitForever()
    }

    /// Forks a child when another thread is about to open the value `v`, after `change`, and holds its locks. Prints
    /// how the child ended.
    private static func whileValueIsOpened(_ change: () throws -> Void, forks child: () -> Void) rethrows {
        let (isOpening, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isAwaited = Guarded(true)
        try SystemCallTap.tapping(everyThread: true) { call, detail in
            let isIt = isAwaited.withLock { isAwaited in
                guard isAwaited, call == .open, detail.hasSuffix("/v") else { return false }
                isAwaited = false
                return true
            }
            if isIt {
                isOpening.signal()
                mayGoOn.wait()
            }
            return .none
        } during: {
            try change()
            isOpening.wait()
            say("child \(inChild(child))")
            mayGoOn.signal()
        }
    }

    /// DIR NAME: forks, and prints what the child's calls return.
    static func forked(_ arguments: [String]) throws {
        let file = try open(arguments[0], arguments[1])
        let container = try GroupContainer(directory: arguments[0])
        try file.write(1)
        try awaitRest()
        inChild {
            do throws(GroupFileError) {
                try file.write(2)
                say("child wrote")
            } catch {
                say("child \(error.code)")
            }
            do throws(GroupFileError) {
                _ = try GroupContainer(directory: arguments[0])
                say("child opened")
            } catch {
                say("child \(error.code)")
            }
            do throws(GroupFileError) {
                say("child sees \(try container.currentNames())")
            } catch {
                say("child \(error.code)")
            }
        }
        try file.write(3)
        say("parent \(file.value)")
    }

    /// Runs tasks at once: a forked child has no threads to run them.
    private final class OnTheSpot: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// DIR: forks, and prints how waiting for a value, for names, and for a key's value ends in the child.
    static func forkedWaiting(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0])
        let file = try open(arguments[0], "v")
        let key = GroupDefaults(container: container).observe("k", as: Int.self)
        let executor = OnTheSpot()
        try awaitRest()
        inChild {
            Task(executorPreference: executor) {
                await tell { _ = try await file.first(timeout: .zero) { _ in true } }
                await tell { _ = try await container.names.first(timeout: .zero) { _ in true } }
                await tell { _ = try await key.first(timeout: .zero) { _ in true } }
            }
        }
    }

    private nonisolated(nonsending) static func tell(
        _ wait: nonisolated(nonsending) () async throws -> Void
    ) async {
        do {
            try await wait()
            say("found")
        } catch let error as GroupFileError {
            say("\(error.code)")
        } catch {
            say("\(error)")
        }
    }

    /// SUITE, whose directory is missing: forks, and prints what each of the child's calls returns.
    static func forkedDefaults(_ arguments: [String]) throws {
        let defaults = try GroupDefaults(suiteName: arguments[0])
        let container = try GroupContainer(identifier: arguments[0], access: .readOnly)
        let calls: [(String, () throws -> Void)] = [
            ("set", { try defaults.set(1, forKey: "k") }), ("set", { try defaults.set(["k", 1], forKey: "k") }),
            ("remove", { try defaults.removeObject(forKey: "k") }), ("adopt", { try defaults.adopt(["k": 1]) }),
            ("add", { try defaults.addSuite(named: "other") }), ("names", { _ = try container.currentNames() }),
            ("file", { _ = try container.file(named: "k", as: Int.self) }),
            ("removeFile", { try container.removeFile(named: "k") }),
        ]
        say("parent \(defaults.integer(forKey: "k"))")
        try awaitRest()
        inChild {
            for (name, call) in calls {
                do {
                    try call()
                    say("child \(name)")
                } catch let error as GroupFileError where error.code == .forked {
                } catch {
                    say("child \(name) \(error)")
                }
            }
            say("child ends")
        }
    }

    /// DIR NAME HOW: forks within an update, by the C function HOW; the body then ends in the child, too.
    static func forkedWithin(_ arguments: [String]) throws {
        typealias Function = @convention(c) () -> Int32
        guard let symbol = unsafe dlsym(nil, arguments[2]) else { return say("there is no \(arguments[2])") }
        let fork = unsafe unsafeBitCast(symbol, to: Function.self)
        let file = try open(arguments[0], arguments[1])
        let other = try FileDescriptor.open(arguments[0] + "/.groupfile/" + arguments[1] + ".lock", .readWrite)
        let lock = FileLock(other)
        var child: Int32 = -1
        try file.update { $0 = 5 }
        try file.update { $0 = 0 }
        do {
            try file.update { value in
                try awaitRest()
                child = fork()
                if child == 0 {
                    value = 100
                    return
                }
                var status: Int32 = 0
                _ = unsafe waitpid(child, &status, 0)
                say(try lock.tryLock() ? "parent lost the lock" : "parent has the lock")
                value += 1
            }
            if child == 0 { say("child wrote") }
        } catch let error as GroupFileError where child == 0 {
            say("child \(error.code)")
        }
        if child == 0 { _exit(0) }
        say("parent \(file.value)")
    }

    /// DIR NAME: after a write, forks a child that lives on; then holds the lock until it is killed.
    static func forkedBetween(_ arguments: [String]) throws {
        let file = try open(arguments[0], arguments[1])
        try file.write(1)
        let child = cFork()
        if child == 0 {
            // The test reads this process's output to the end.
            _ = (close(1), close(2))
            waitForever()
        }
        try file.update { _ in
            say("child \(child)")
            waitForever()
        }
    }
}

/// fork(2), which Glibc's module hides with good reason: the child may call next to nothing.
@_silgen_name("fork") func cFork() -> Int32

/// Runs `body` in a forked child, and returns the child's status: 0 if `body` returned.
@discardableResult
func inChild(_ body: () -> Void) -> Int32 {
    let child = cFork()
    if child == 0 {
        body()
        _exit(0)
    }
    var status: Int32 = -1
    _ = unsafe waitpid(child, &status, 0)
    return status
}

/// Prints a line, without a buffer.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe Glibc.write(1, bytes, bytes.count)
}
