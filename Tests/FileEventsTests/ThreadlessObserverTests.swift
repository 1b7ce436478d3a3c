import Dispatch
import Foundation
import Glibc
import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

/// How an observer behaves in a process that could not create a thread for a while.
struct ThreadlessObserverTests {
    /// No thread can report that threads are available again, so the next call on an observer creates one.
    @Test(arguments: ["data", "isCancelled", "health", "event handler", "cancel handler", "another activation"])
    func whoeverComesMakesTheThreadsThatWereNotToBeHad(door: String) async {
        await #expect(processExitsWith: .success) { [door] in
            try Self.observe(comingBy: door)
        }
    }

    /// Runs in a process of its own, whose number of threads is limited.
    private static func observe(comingBy door: String) throws {
        let folder = try TemporaryDirectory(on: .memory)
        try folder.write("1", to: "f")
        // The limit does not apply to root.
        let other: uid_t = 65534
        if geteuid() == 0, unsafe chown(folder.path, other, other) != 0 || setuid(other) != 0 {
            return print("skipped, no other user can be become")
        }
        let isTold = DispatchSemaphore(value: 0)
        let observer = FileObserver(path: folder.path("f"), eventMask: [.attrib, .delete])
        observer.setEventHandler { isTold.signal() }
        let hasLimit = withoutThreads {
            observer.activate()
            do throws(Errno) {
                try SystemCalls.Thread.spawn(named: "one more") {}
                return false
            } catch {
                return true
            }
        }
        if !hasLimit { return print("skipped, the number of threads cannot be limited here") }
        switch door {
        case "data": _ = observer.data
        case "isCancelled": _ = observer.isCancelled
        case "health": _ = observer.health
        case "event handler": observer.setEventHandler { isTold.signal() }
        case "cancel handler": observer.setCancelHandler {}
        default: observer.activate()
        }
        try FileManager.default.removeItem(atPath: folder.path("f"))
        #expect(isTold.wait(timeout: .now() + Duration.beforeTheHeartbeat.dispatchInterval) == .success)
        observer.cancel()
    }

    private static func withoutThreads<Result>(_ body: () -> Result) -> Result {
        var usual = rlimit()
        let threads = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
        unsafe getrlimit(threads, &usual)
        var none = rlimit(rlim_cur: 1, rlim_max: usual.rlim_max)
        unsafe setrlimit(threads, &none)
        defer { unsafe setrlimit(threads, &usual) }
        return body()
    }
}
