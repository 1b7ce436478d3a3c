import Dispatch
import FileEvents
import Glibc
import GroupFiles
import SystemCalls

extension Probe {
    /// Waits until the library's threads rest, and will: what Swift's runtime does on them, it does under locks of its own,
    /// which a child that is forked meanwhile finds locked for ever.
    static func awaitRest() throws {
        let isRead = DispatchSemaphore(value: 0)
        EventBarrier.whenPassed { isRead.signal() }
        isRead.wait()
        while true {
            let threads = try otherThreads()
            let ring = try Directory(path: "/proc/self/fdinfo").names().contains { ringsSoon($0) }
            let sleep = threads.allSatisfy { $0.contains("State:\tS") }
            if !ring, sleep, try otherThreads() == threads { return }
        }
    }

    /// Whether this descriptor of ours is a timer that is set to less than ten seconds: the look that comes every thirty is
    /// not meant.
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
            return false  // It is the one that lists them.
        }
    }

    /// What each of our threads but the first does, and how often it has had a processor.
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

    /// DIR, with a value `there` and a file `other`: a forked child lets go of the value `v`, which is missing. Then it is
    /// linked there, and seen at once, or not.
    static func forkedLettingGo(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0], access: .readOnly)
        let there = try GroupFile("there", in: container, initialValue: 0, access: .readOnly)
        var missing: GroupFile<Int>? = try GroupFile("v", in: container, initialValue: 0, access: .readOnly)
        try awaitRest()
        let child = cFork()
        if child == 0 {
            missing = nil
            _exit(0)
        }
        var status: Int32 = 0
        _ = unsafe waitpid(child, &status, 0)
        let directory = try Directory(path: arguments[0])
        try directory.link("other", to: "v")
        // The look that comes every 30 seconds would find it.
        let end = Moment.now + .seconds(10)
        while Moment.now < end, missing?.value == 0 {}
        say("parent \(missing?.value ?? -1) \(there.value)")
    }

    /// DIR, with a value `v`: forks while a thread of the library reads it, and so holds its locks. Says how the child ended
    /// that let go of everything, and what its parent sees then.
    static func forkedWhileReading(_ arguments: [String]) throws {
        var file: GroupFile<Int>? = try open(arguments[0], "v")
        var (one, other) = (file?.sink { _ in }, file?.sink { _ in })
        try awaitRest()
        let isReading = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let isAwaited = Guarded(false)
        try SystemCallTap.tapping(everyThread: true) { call, detail in
            let isIt = isAwaited.withLock { isAwaited in
                guard isAwaited, call == .open, detail.hasSuffix("/v") else { return false }
                isAwaited = false
                return true
            }
            if isIt {
                isReading.signal()
                mayGoOn.wait()
            }
            return .none
        } during: {
            let new = try FileDescriptor.open(arguments[0] + "/v", [.writeOnly], permissions: 0)
            isAwaited.withLock { $0 = true }
            try new.writeAll(Array("7\n".utf8))
            isReading.wait()
            let child = cFork()
            if child == 0 {
                one?.cancel()
                (one, other, file) = (nil, nil, nil)
                _exit(0)
            }
            var status: Int32 = -1
            _ = unsafe waitpid(child, &status, 0)
            say("child \(status)")
            mayGoOn.signal()
        }
        while file?.value != 7 {}
        say("parent 7")
        withExtendedLifetime((one, other)) {}
    }

    /// DIR NAME: forks, and prints what the child's calls answer.
    static func forked(_ arguments: [String]) throws {
        let file = try open(arguments[0], arguments[1])
        let container = try GroupContainer(directory: arguments[0])
        try file.write(1)
        try awaitRest()
        let child = cFork()
        if child == 0 {
            do {
                try file.write(2)
                say("child wrote")
            } catch {
                say("child \(error.code)")
            }
            do {
                _ = try GroupContainer(directory: arguments[0])
                say("child opened")
            } catch {
                say("child \(error.code)")
            }
            do {
                say("child sees \(try container.currentNames())")
            } catch {
                say("child \(error.code)")
            }
            _exit(0)
        }
        var status: Int32 = 0
        _ = unsafe waitpid(child, &status, 0)
        try file.write(3)
        say("parent \(file.value)")
    }

    /// SUITE, whose directory is missing: forks, and prints what each of the child's calls answers.
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
        let child = cFork()
        if child == 0 {
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
            _exit(0)
        }
        var status: Int32 = 0
        _ = unsafe waitpid(child, &status, 0)
    }

    /// DIR NAME: forks within an update, whose body then ends in the child too.
    static func forkedWithin(_ arguments: [String]) throws {
        let file = try open(arguments[0], arguments[1])
        let other = try FileDescriptor.open(arguments[0] + "/.groupfile/" + arguments[1] + ".lock", .readWrite)
        let lock = FileLock(other)
        var child: Int32 = -1
        try file.update { $0 = 5 }
        try file.update { $0 = 0 }
        do {
            try file.update { value in
                try awaitRest()
                child = cFork()
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

    /// DIR NAME: forks after a write a child that lives on, then holds the lock until it is killed.
    static func forkedBetween(_ arguments: [String]) throws {
        let file = try open(arguments[0], arguments[1])
        try file.write(1)
        let child = cFork()
        if child == 0 {
            // Who reads this process's output waits for its end.
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

/// A line on standard output, at once.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe Glibc.write(1, bytes, bytes.count)
}
