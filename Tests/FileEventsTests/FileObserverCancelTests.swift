import Dispatch
import FileEvents
import Foundation
import SystemCalls
import TestSupport
import Testing

/// G13: no callback after cancel.
struct FileObserverCancelTests {
    /// A handler that reports when it runs, and ends when the test lets it.
    private final class BlockedHandler: Sendable {
        let running = Gate()
        let release = DispatchSemaphore(value: 0)
        private let ended = Guarded(false)

        var hasEnded: Bool { ended.withLock { $0 } }

        func run() {
            running.open()
            // The wait has a deadline, so that a failing test goes on.
            _ = release.wait(timeout: .now() + Duration.testDeadline.dispatchInterval)
            ended.withLock { $0 = true }
        }

        /// Makes an observer of `f` run this handler.
        func begin(on observer: FileObserver, in folder: TemporaryDirectory) async throws {
            observer.setEventHandler { self.run() }
            observer.activate()
            try folder.write("1", to: "f")
            #expect(await running.opened())
        }
    }

    /// G13: a second cancel waits, too.
    @Test(arguments: [1, 2])
    func G13_anObserversCancelWaitsForTheHandlerThatRuns(cancels: Int) async throws {
        let folder = try TemporaryDirectory()
        let observer = FileObserver(path: folder.path("f"))
        let handler = BlockedHandler()
        try await handler.begin(on: observer, in: folder)
        let (cancelling, returned) = (Log<String>(), Log<Bool>())
        for _ in 0..<cancels {
            Foundation.Thread {
                do { cancelling.append(try Path.linkTarget(of: "/proc/thread-self")) } catch { Issue.record(error) }
                observer.cancel()
                returned.append(handler.hasEnded)
            }.start()
        }
        let threads = try #require(await cancelling.wait { $0.count == cancels ? $0 : nil })
        for thread in threads {
            // A sleeping thread is waiting; one that does not wait has already returned.
            let isAsleep = try await eventually {
                try !returned.elements.isEmpty || ProcessTable.text("/proc/\(thread)/stat").contains(") S ")
            }
            #expect(isAsleep && returned.elements.isEmpty)
        }
        handler.release.signal()
        #expect(await returned.wait { $0.count == cancels ? $0 : nil } == threads.map { _ in true })
    }

    enum Way: CaseIterable, Sendable {
        case onAQueue, inAHandler, letGo
    }

    /// G13: on a queue, inside a handler of this library, and in `deinit`.
    @Test(arguments: Way.allCases)
    func G13_whereAnObserversCancelMayNotWaitItReturns(way: Way) async throws {
        let folder = try TemporaryDirectory()
        var observer: FileObserver? = FileObserver(
            path: folder.path("f"), queue: way == .onAQueue ? DispatchQueue(label: "test") : nil)
        let handler = BlockedHandler()
        try await handler.begin(on: #require(observer), in: folder)
        switch way {
        case .onAQueue: observer?.cancel()
        case .letGo: observer = nil
        case .inAHandler:
            let other = FileObserver(path: folder.path("g"))
            let returned = Gate()
            other.setEventHandler { [observer] in
                observer?.cancel()
                returned.open()
            }
            other.activate()
            try folder.write("1", to: "g")
            #expect(await returned.opened())
            other.setEventHandler(handler: nil)
            other.cancel()
        }
        #expect(!handler.hasEnded)
        handler.release.signal()
        #expect(await eventually { handler.hasEnded })
    }

    /// G13: each time, an event is on its way to the handler.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G13_noCallOfAnObserverStartsAfterCancel(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let late = try await blocking {
            var late = 0
            for round in 0..<1000 {
                let state = Guarded((isCancelled: false, isRunning: false, late: 0))
                let observer = FileObserver(path: folder.path("f"))
                observer.setEventHandler {
                    state.withLock { state in
                        if state.isCancelled { state.late += 1 }
                        state.isRunning = true
                    }
                    Self.spin(20_000)
                    state.withLock { $0.isRunning = false }
                }
                observer.activate()
                try folder.write("\(round)", to: "f")
                // A little later in each round, so that the cancel comes before, during and after the handler's call.
                Self.spin(Int64(round % 100) * 2_000)
                observer.cancel()
                state.withLock { state in
                    state.isCancelled = true
                    if state.isRunning { state.late += 1 }
                }
                late += state.withLock(\.late)
            }
            return late
        }
        #expect(late == 0)
    }

    /// Spins for this many nanoseconds, because a sleeping thread would wake up too late.
    private static func spin(_ duration: Int64) {
        let end = Moment.now.advanced(byNanoseconds: duration)
        while Moment.now < end {}
    }
}
