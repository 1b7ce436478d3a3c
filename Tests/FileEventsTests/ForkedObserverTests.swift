import Dispatch
import Glibc
import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

/// G15: children that are forked from a process that observes.
@Suite(.serialized)
struct ForkedObserverTests {
    /// In the parent other threads take the locks again and again, and so hold one as some of the children are forked.
    /// Not with the thread sanitizer, whose own locks the child would find held.
    @Test(.enabled(if: !CurrentProcess.hasThreadSanitizer))
    func G15_aForkedChildsObserversDoNothing() async throws {
        let folder = try TemporaryDirectory()
        let observer = FileObserver(path: folder.path("f"))
        let log = Log<FileObserver.FileSystemEvent>()
        observer.setEventHandler { [weak observer] in log.append(observer?.data ?? []) }
        observer.activate()
        defer { observer.cancel() }
        var released: FileObserver? = FileObserver(path: folder.path("f"))
        released?.setEventHandler { log.append([]) }
        released?.activate()
        let inactive = FileObserver(path: folder.path("f"))
        let isOver = Guarded(false)
        let ended = Log<Bool>()
        let busy: [@Sendable () -> Void] = [
            { ThreadPool.shared.cancel(ThreadPool.shared.schedule(at: .now + .seconds(1000)) {}) },
            { for _ in 0..<100 { _ = observer.data } },
            { for _ in 0..<100 { _ = inactive.data } },
        ]
        for takeLocks in busy {
            try SystemCalls.Thread.spawn(named: "busy") {
                while !isOver.withLock({ $0 }) { takeLocks() }
                ended.append(true)
            }
        }
        for _ in 0..<40 {
            let child = cFork()
            if child == 0 {
                inactive.activate()
                inactive.cancel()
                observer.setEventHandler {}
                observer.setCancelHandler {}
                let isOfChild = observer.isCancelled && observer.data.isEmpty
                observer.cancel()
                released = nil
                ThreadPool.shared.execute {}
                _exit(isOfChild ? 0 : 1)
            }
            var status: Int32 = -1
            let hasEnded = await eventually(within: .beforeTheHeartbeat) {
                unsafe waitpid(child, &status, WNOHANG) == child
            }
            if !hasEnded {
                _ = kill(child, SIGKILL)
                _ = unsafe waitpid(child, &status, 0)
            }
            #expect(hasEnded && status == 0)
            if status != 0 { break }
        }
        isOver.withLock { $0 = true }
        #expect(await ended.wait { $0.count == busy.count ? true : nil } == true)
        // Also what the children let go of is observed still.
        try folder.write("1", to: "f")
        #expect(await log.wait { $0.contains([]) && $0.contains { !$0.isEmpty } ? true : nil } == true)
        withExtendedLifetime(released) {}
    }
}

/// fork(2), which Glibc's module hides with good reason: the child may call next to nothing.
@_silgen_name("fork") private func cFork() -> Int32
