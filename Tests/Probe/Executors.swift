import Dispatch
import FileEvents
import Glibc
import GroupFiles
import SystemCalls

/// What becomes of a program's tasks.
extension Probe {
    // Swift passes two pointers as C does.
    private typealias Enqueue = @convention(c) (OpaquePointer) -> Void
    private typealias Hook = @convention(c) (OpaquePointer, Enqueue) -> Void

    /// DIR: installs the runtime's hook that decides where tasks go on, and loops over a value. Prints `loop NUMBER`,
    /// and at 3 whether the hook is still there and was called.
    static func hooked(_ arguments: [String]) throws {
        let file = try open(arguments[0], "v")
        guard let address = unsafe dlsym(nil, "swift_task_enqueueGlobal_hook") else { return say("no hook") }
        let hook = UInt(bitPattern: address)
        let own = unsafe unsafeBitCast(countingHook, to: UInt.self)
        setWord(hook, own)
        loop(over: file)
        say("kept \(word(hook) == own), calls \(hookCalls.withLock { $0 } >= 4)")
    }

    /// DIR: a task leaves its loop on a thread of the library, releases the value, and works on. Prints how many
    /// inotify descriptors there are, once there is none or after 20 seconds.
    static func leave(_ arguments: [String]) throws {
        let directory = arguments[0]
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            try await loopOnce(directory)
            say("on a thread of the library \(Thread.isMarked)")
            say("inotify \(try inotifyDescriptorsInTheEnd())")
            ended.signal()
        }
        expect("ended", ended, within: 60)
    }

    private static func loopOnce(_ directory: String) async throws {
        let file = try open(directory, "v")
        Task.detached {
            while file.waiterCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
            try replace(directory, "v", 1)
        }
        for await value in file.values where value == 1 { break }
    }

    private static func inotifyDescriptorsInTheEnd() throws -> Int {
        let end = Moment.now + .seconds(20)
        while true {
            let links = try SystemCalls.Directory(path: "/proc/self/fd").names().map(link)
            let count = links.count { $0.contains("inotify") }
            if count == 0 || .now >= end { return count }
            Thread.sleep(for: .milliseconds(1))
        }
    }

    private static func link(_ name: String) -> String {
        var target = [CChar](repeating: 0, count: 256)
        let count = unsafe readlink("/proc/self/fd/\(name)", &target, target.count)
        return String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// DIR loop|sink: at 1, a loop over `v`, or a handler, forks a child, which goes on as far as it can. Prints `told
    /// NUMBER`.
    static func forkWhenTold(_ arguments: [String]) throws {
        let file = try open(arguments[0], "v")
        let told: @Sendable (Int) -> Void = { value in
            if value == 1, cFork() == 0 { _ = (close(1), close(2)) } else { say("told \(value)") }
        }
        if arguments[1] == "loop" {
            Task.detached { for await value in file.values { told(value) } }
            waitForever()
        }
        let subscription = file.sink(told)
        withExtendedLifetime(subscription) { waitForever() }
    }

    /// DIR, with 100 sinks of `v`: at 1, one of them forks a child, which must call none of the others. Prints how the
    /// child ended.
    static func forkAmongMany(_ arguments: [String]) throws {
        let file = try open(arguments[0], "v")
        let parent = getpid()
        let subscriptions = (0..<100).map { number in
            file.sink { value in
                if value != 1 { return }
                if getpid() != parent { _exit(9) }
                if number != 50 { return }
                let child = cFork()
                if child == 0 { return }
                var status: Int32 = 0
                unsafe waitpid(child, &status, 0)
                say("child \(status)")
            }
        }
        say("ready")
        withExtendedLifetime(subscriptions) { waitForever() }
    }

    /// DIR HOW: a handler (of a `sink`, or of an `observer`) forks while its next call is already due, and returns in
    /// the child. Prints how the child ends.
    static func forkBeforeNext(_ arguments: [String]) throws {
        let file = try open(arguments[0], "v")
        let parent = getpid()
        let write = { @Sendable (value: Int) in
            do { try file.write(value) } catch { say("\(error)") }
        }
        let leaveChild = { @Sendable in if getpid() != parent { _exit(9) } }
        let forkOnce = { @Sendable in
            let child = cFork()
            if child == 0 { return }
            var status: Int32 = 0
            unsafe waitpid(child, &status, 0)
            say("child \(status)")
            _exit(0)
        }
        if arguments[1] == "sink" {
            let subscription = file.sink { value in
                leaveChild()
                if value == 1 { write(2) }
                if value > 0 { forkOnce() }
            }
            try file.write(1)
            withExtendedLifetime(subscription) { waitForever() }
        }
        // What was reported twice to another observer was reported at least once to this one.
        let isTold = DispatchSemaphore(value: 0)
        let (observer, other) = (FileObserver(path: file.path), FileObserver(path: file.path))
        other.setEventHandler { isTold.signal() }
        observer.setEventHandler {
            leaveChild()
            for value in 2...3 {
                write(value)
                isTold.wait()
            }
            forkOnce()
        }
        observer.activate()
        other.activate()
        try file.write(1)
        waitForever()
    }

    private static func loop(over file: GroupFile<Int>) {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            for await value in file.values {
                say("loop \(value)")
                if value == 3 { break }
            }
            end.signal()
        }
        expect("ended", end, within: 20)
    }

    private static func word(_ address: UInt) -> UInt? {
        unsafe UnsafePointer<UInt>(bitPattern: address)?.pointee
    }

    private static func setWord(_ address: UInt, _ value: UInt) {
        unsafe UnsafeMutablePointer<UInt>(bitPattern: address)?.pointee = value
    }

    private static let hookCalls = Guarded(0)
    private static let countingHook: Hook = { job, enqueue in
        hookCalls.withLock { $0 += 1 }
        unsafe enqueue(job)
    }
}
