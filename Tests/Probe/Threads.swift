import Dispatch
import FileEvents
import Glibc
import GroupFiles
import SystemCalls

/// What a process sees that could have no thread for a while.
extension Probe {
    /// DIR DOOR: `v` is opened and subscribed to while there is no thread to be had. When there is, another program writes,
    /// and this one comes by that door, once. As root it becomes another user, whom the limit concerns.
    static func threadless(_ arguments: [String]) throws {
        let directory = arguments[0]
        let container = try GroupContainer(directory: directory)
        let other: uid_t = 65534
        if geteuid() == 0, unsafe chown(directory, other, other) != 0 || setuid(other) != 0 { say("not root") }
        var usual = rlimit()
        let threads = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
        unsafe getrlimit(threads, &usual)
        var none = rlimit(rlim_cur: 1, rlim_max: usual.rlim_max)
        unsafe setrlimit(threads, &none)
        do throws(Errno) {
            try SystemCalls.Thread.spawn(named: "one more") {}
            say("no limit")
            return
        } catch {}

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
