import Dispatch
import FileEvents
import Foundation
import GroupFiles
import Observation
import SystemCalls
import TestSupport
import Testing

/// G13: no callback after cancel.
@Suite(.serialized)
struct CancelTests {
    /// G13: once `cancel()` has returned, the handler does not start again, and is not running.
    @Test func G13_noCallbackAfterCancel() async throws {
        let folder = try TemporaryDirectory(on: .memory)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        let isOver = Guarded(false)
        let ended = Gate()
        let writer = Thread {
            var value = 0
            while !isOver.withLock({ $0 }) {
                value += 1
                do { try file.write(value) } catch { Issue.record(error) }
            }
            ended.open()
        }
        writer.start()
        // Counts for all subscriptions: a late call of one may come while the next one is already told.
        let late = Guarded(0)
        for _ in 0..<500 {
            let state = Guarded((isCancelled: false, isRunning: false))
            let called = Gate()
            let subscription = file.sink { _ in
                let isLate = state.withLock { state in
                    state.isRunning = true
                    return state.isCancelled
                }
                if isLate { late.withLock { $0 += 1 } }
                called.open()
                state.withLock { $0.isRunning = false }
            }
            // The handler is now called with one value after the other.
            #expect(await called.opened())
            subscription.cancel()
            let isRunning = state.withLock { state in
                state.isCancelled = true
                return state.isRunning
            }
            #expect(!isRunning)
        }
        isOver.withLock { $0 = true }
        #expect(await ended.opened())
        #expect(late.withLock { $0 } == 0)
    }

    /// What can be subscribed to.
    enum Subject: CaseIterable, Sendable {
        case value, key, names

        func sink(in container: GroupContainer, _ handler: @escaping @Sendable () -> Void) throws -> Subscription {
            switch self {
            case .value: try GroupFile("v", in: container, initialValue: 0).sink { _ in handler() }
            case .key: GroupDefaults(container: container).observe("v", as: Int.self).sink { _ in handler() }
            case .names: container.names.sink { _ in handler() }
            }
        }
    }

    /// G13: `cancel()` waits for the call that another thread is making.
    @Test(arguments: Subject.allCases)
    func G13_cancelWaitsForTheHandlerThatRuns(subject: Subject) async throws {
        let running = Gate()
        let returned = Log<Bool>()
        let release = DispatchSemaphore(value: 0)
        let hasEnded = Guarded(false)
        let subscription = try subject.sink(in: .inMemory()) {
            running.open()
            release.wait()
            hasEnded.withLock { $0 = true }
        }
        #expect(await running.opened())
        let cancelling = Log<String>()
        let canceller = Thread {
            do { cancelling.append(try Path.linkTarget(of: "/proc/thread-self")) } catch { Issue.record(error) }
            subscription.cancel()
            returned.append(hasEnded.withLock { $0 })
        }
        canceller.start()
        let thread = try #require(await cancelling.first { _ in true })
        // A canceller that waits is asleep; one that does not wait has returned.
        let isAsleep = try await eventually {
            try !returned.elements.isEmpty || ProcessTable.text("/proc/\(thread)/stat").contains(") S ")
        }
        #expect(isAsleep && returned.elements.isEmpty)
        release.signal()
        #expect(await returned.first { _ in true } == true)
    }

    @Test func G13_aHandlerMayCancelItselfAndOthers() async throws {
        let folder = try TemporaryDirectory(on: .memory)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        let box = Guarded<[Subscription]>([])
        let told = Log<Int>()
        for _ in 0..<2 {
            let subscription = file.sink { value in
                if value == 0 { return }
                for other in box.withLock({ $0 }) { other.cancel() }
                told.append(value)
            }
            box.withLock { $0.append(subscription) }
        }
        // This subscription is called after the other two.
        let witness = Log<Int>()
        let last = file.sink { witness.append($0) }
        try await file.write(1)
        #expect(await told.first { _ in true } == 1)
        try await file.write(2)
        #expect(await witness.first { $0 == 2 } != nil)
        #expect(!told.elements.contains(2))
        last.cancel()
    }

    enum Handler: CaseIterable, Sendable {
        case tracking, trackingOfASubject, encoding, decoding
    }

    /// The library also calls codecs and the handlers of Observation.
    @Test(arguments: Handler.allCases)
    func G13_noHandlerWaits(handler: Handler) async throws {
        let blocked = ValueSubject(0)
        let running = Gate()
        let release = DispatchSemaphore(value: 0)
        let results = Log<DispatchTimeoutResult>()
        let subscription = blocked.sink { value in
            if value == 0 { return }
            running.open()
            // Waits until the test's deadline: the test may wait long for its turn to go on.
            results.append(release.wait(timeout: .now() + Duration.testDeadline.dispatchInterval))
        }
        let sender = Thread { blocked.send(1) }
        sender.start()
        #expect(await running.opened())
        let cancel: @Sendable () -> Void = {
            subscription.cancel()
            release.signal()
        }
        let container = GroupContainer.inMemory()
        let (file, subject) = (try GroupFile("v", in: container, initialValue: 0), ValueSubject(0))
        let isArmed = Guarded(false)
        let codec = GroupCodec<Data>(
            encode: { data in
                if handler == .encoding, isArmed.withLock({ $0 }) { cancel() }
                return data
            },
            decode: { data in
                if handler == .decoding, isArmed.withLock({ $0 }) { cancel() }
                return data
            })
        let coded = try GroupFile("v", in: container, initialValue: Data(), codec: codec)
        isArmed.withLock { $0 = true }
        switch handler {
        case .tracking:
            withObservationTracking({ _ = file.value }, onChange: cancel)
            try await file.write(1)
        case .trackingOfASubject:
            withObservationTracking({ _ = subject.value }, onChange: cancel)
            subject.send(1)
        case .encoding: try await coded.write(Data("1".utf8))
        case .decoding:
            try await file.write(1)
            try await coded.read()
        }
        #expect(await results.first { _ in true } == .success)
    }

    /// The library also calls the handlers of file observers.
    @Test func G13_anObserversHandlerDoesNotWait() async throws {
        let folder = try TemporaryDirectory()
        let subject = ValueSubject(0)
        let running = Gate()
        let release = DispatchSemaphore(value: 0)
        let results = Log<DispatchTimeoutResult>()
        let subscription = subject.sink { value in
            if value == 0 { return }
            running.open()
            results.append(release.wait(timeout: .now() + Duration.testDeadline.dispatchInterval))
        }
        let observer = FileObserver(path: folder.path("f"), eventMask: .write)
        observer.setEventHandler {
            subscription.cancel()
            release.signal()
        }
        observer.activate()
        let sender = Thread { subject.send(1) }
        sender.start()
        #expect(await running.opened())
        try folder.write("1", to: "f")
        #expect(await results.first { _ in true } == .success)
        observer.cancel()
    }
}
