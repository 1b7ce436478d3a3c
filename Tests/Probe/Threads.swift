import Dispatch
import FileEvents
import Glibc
import GroupFiles
import SystemCalls

/// A value that is nested as deeply as its content.
private struct Nest: Codable, Sendable {
    var inner: [Nest]?

    var depth: Int { 1 + (inner?.first?.depth ?? 0) }
}

/// What a process sees that could not start threads for a while, or none that are like others.
extension Probe {
    /// DIR DEPTH: prints the depth of a value that another program has written.
    static func nested(_ arguments: [String]) throws {
        let depth = number(arguments[1])
        let file = try GroupFile("v", in: GroupContainer(directory: arguments[0]), initialValue: Nest())
        let told = DispatchSemaphore(value: 0)
        let subscription = file.sink { if $0.inner != nil { told.signal() } }
        let text =
            String(repeating: #"{"inner":["#, count: depth - 1) + "{}" + String(repeating: "]}", count: depth - 1)
        try FileDescriptor.open(arguments[0] + "/v", [.writeOnly, .truncate]).writeAll(Array(text.utf8))
        told.wait()
        subscription.cancel()
        let counted = DispatchSemaphore(value: 0)
        try Thread.spawn(named: "counts") {
            say("depth \(file.value.depth)")
            counted.signal()
        }
        counted.wait()
    }

    /// DIR DOOR: opens `v` and subscribes to it while no thread can be started. Once one can be started, another
    /// program writes, and this one uses the library once more, by that door. If this process is root, it becomes
    /// another user first, because the limit does not hold for root.
    static func threadless(_ arguments: [String]) throws {
        let directory = arguments[0]
        let container = try GroupContainer(directory: directory)
        becomeAnother(in: directory)
        var usual = rlimit()
        unsafe getrlimit(threads, &usual)
        guard allowNoMoreThreads() else { return }

        let rang = DispatchSemaphore(value: 0)
        ThreadPool.shared.schedule(at: .now + .milliseconds(10)) { rang.signal() }
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        if case .polling(let reason) = file.health { say("polling \(reason)") } else { say("\(file.health)") }
        let seven = follow(file) { $0.value == 7 }
        let live = follow(file) { $0.health == .live }
        unsafe setrlimit(threads, &usual)
        try replace(directory, "v", 7)
        try pass(arguments[1], file)
        expect("rang", rang, within: 20)
        expect("told", seven.told, within: 20)
        expect("live", live.told, within: 20)
    }

    /// DIR: follows `v`. Once only the threads are left that this needs, no other thread can be started. What would
    /// need one arrives all the same: the first value of a new subscription, and the value of a writer that does not
    /// close the file.
    static func crowded(_ arguments: [String]) throws {
        let directory = arguments[0]
        let container = try GroupContainer(directory: directory)
        becomeAnother(in: directory)
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        let first = follow(file) { $0.value == 0 }
        expect("first", first.told, within: 20)
        let end = Moment.now + .seconds(20)
        while try Directory(path: "/proc/self/task").names().count > 3, .now < end {
            Thread.sleep(for: .milliseconds(1))
        }
        guard allowNoMoreThreads() else { return }
        let second = follow(file) { $0.value == 0 }
        expect("second", second.told, within: 20)
        let written = follow(file) { $0.value == 1 }
        let writer = try FileDescriptor.open("\(directory)/v", .writeOnly)
        try writer.writeAll(Array("1".utf8))
        expect("written", written.told, within: 20)
    }

    private static var threads: __rlimit_resource_t { __rlimit_resource_t(__RLIMIT_NPROC.rawValue) }

    static func becomeAnother(in directory: String? = nil) {
        let other: uid_t = 65534
        guard geteuid() == 0 else { return }
        if let directory, unsafe chown(directory, other, other) != 0 { say("not root") }
        if setuid(other) != 0 { say("not root") }
    }

    /// False if the number of threads cannot be limited here.
    static func allowNoMoreThreads() -> Bool {
        var limit = rlimit()
        unsafe getrlimit(threads, &limit)
        limit.rlim_cur = 1
        unsafe setrlimit(threads, &limit)
        do throws(Errno) {
            try SystemCalls.Thread.spawn(named: "one more") {}
            say("no limit")
            return false
        } catch {
            return true
        }
    }

    private static func pass(_ door: String, _ file: GroupFile<Int>) throws {
        switch door {
        case "value": _ = file.value
        case "status": _ = file.status
        case "health": _ = file.health
        case "sink": file.sink { _ in }.cancel()
        case "read": try file.read()
        case "update": try file.update { $0 = 7 }
        case "schedule": ThreadPool.shared.schedule(at: .now + .seconds(100)) {}
        default: say("unknown door \(door)")
        }
    }
}
