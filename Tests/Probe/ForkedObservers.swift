import FileEvents
import Glibc
import SystemCalls

extension Probe {
    /// DIR: forks children that use observers of `f` there, and release one. Meanwhile other threads keep taking the
    /// locks, so that some are held when a child is forked. Prints how each child ended. Then `f` is written, and the
    /// parent's observers print that they noticed.
    static func forkedObserving(_ arguments: [String]) throws {
        let path = arguments[0] + "/f"
        let observer = observing(path, "kept")
        var released: FileObserver? = observing(path, "released")
        let inactive = FileObserver(path: path)
        try useAll(of: path)
        let isOver = Guarded(false)
        let running = Guarded(3)
        let busy: [@Sendable () -> Void] = [
            { ThreadPool.shared.cancel(ThreadPool.shared.schedule(at: .now + .seconds(1000)) {}) },
            { for _ in 0..<100 { _ = observer.data } },
            { for _ in 0..<100 { _ = inactive.data } },
        ]
        for takeLocks in busy {
            try SystemCalls.Thread.spawn(named: "busy") {
                while !isOver.withLock({ $0 }) { takeLocks() }
                running.withLock { $0 -= 1 }
            }
        }
        for _ in 0..<40 {
            let status = inChild {
                inactive.activate()
                inactive.cancel()
                observer.setEventHandler {}
                observer.setCancelHandler {}
                let isOfChild = observer.isCancelled && observer.data.isEmpty && observer.health == nil
                observer.cancel()
                released = nil
                ThreadPool.shared.execute {}
                if !isOfChild { _exit(1) }
            }
            say("child \(status)")
        }
        isOver.withLock { $0 = true }
        while running.withLock({ $0 }) > 0 { Thread.sleep(for: .milliseconds(1)) }
        let file = try FileDescriptor.open(path, [.writeOnly, .create], permissions: 0o600)
        try file.writeAll([0x31])
        withExtendedLifetime(released) { while true { Thread.sleep(for: .seconds(1)) } }
    }

    /// At the first use of a type Swift's runtime takes locks of its own; a child that is forked meanwhile would find
    /// them held for ever. So everything that the children do is done here first.
    private static func useAll(of path: String) throws {
        let inactive = FileObserver(path: path)
        inactive.activate()
        inactive.cancel()
        var observer: FileObserver? = observing(path, "unused")
        _ = observer.map { $0.isCancelled && $0.data.isEmpty && $0.health == nil }
        observer?.setEventHandler {}
        observer?.setCancelHandler {}
        observer = nil
        observer = observing(path, "unused")
        observer?.cancel()
        observer = nil
        ThreadPool.shared.execute {}
        try awaitRest()
    }

    private static func observing(_ path: String, _ name: String) -> FileObserver {
        let observer = FileObserver(path: path)
        observer.setEventHandler { say(name) }
        observer.activate()
        return observer
    }
}
