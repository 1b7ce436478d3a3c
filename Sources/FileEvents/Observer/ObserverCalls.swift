import Dispatch
import SystemCalls

/// Calls the handlers of a ``FileObserver``, as ``ObserverDelivery`` decides.
///
/// 1. Events are *added* to what is pending. If no delivery is under way, one is *submitted*; it *calls* the handler
///    until nothing is pending: on a queue, in one block for each call.
/// 2. After a cancel the delivery *calls* the cancel handler, and is the last one.
/// 3. A caller of `cancel` *waits* for a call that is in progress, but not for one on a queue.
final class ObserverCalls: Sendable {
    typealias Event = ObserverDelivery.Event
    typealias Handler = ObserverDelivery.Handler

    private let queue: DispatchQueue?
    /// Guards all that changes.
    private let delivery = Guarded(ObserverDelivery())

    init(on queue: DispatchQueue?) {
        self.queue = queue
    }

    var data: Event { delivery.withLock(\.data) }
    var isCancelled: Bool { delivery.withLock(\.isCancelled) }

    func setEventHandler(_ handler: Handler?) {
        let released = delivery.withLock { $0.setEventHandler(handler) }
        withExtendedLifetime(released) {}
    }

    func setCancelHandler(_ handler: Handler?) {
        let released = delivery.withLock { $0.setCancelHandler(handler) }
        withExtendedLifetime(released) {}
    }

    /// True once.
    func activate() -> Bool { delivery.withLock { $0.activate() } }

    func add(_ event: Event) {
        if delivery.withLock({ $0.add(event) }) { submit() }
    }

    /// The event handler does not start again. The cancel handler is called once `endWatching` has returned, unless a
    /// delivery that is under way calls it before.
    func cancel(_ endWatching: () -> Void) {
        guard case .cancelled(let mustSubmit) = delivery.withLock({ $0.cancel() }) else { return }
        endWatching()
        if mustSubmit { submit() }
    }

    /// Waits for the call that another thread of the library is making, if there is one.
    func waitForCall() {
        delivery.withLock { $0.callInProgress() }?.wait()
    }

    private func submit() {
        if let queue {
            queue.async { self.deliver() }
        } else {
            ThreadPool.shared.execute { self.deliver() }
        }
    }

    private func deliver() {
        HandlerScope.run {
            if queue == nil {
                while callNext() { delivery.withLock { $0.endCall() }?.end() }
            } else if callNext(), delivery.withLock({ $0.continues() }) {
                submit()
            }
        }
    }

    /// Makes the next call. The handler has been released when this returns, so nothing of a call is left when a
    /// waiting `cancel` returns. False if there was no call, or in a child that the handler forked, where the lock may
    /// be held for ever.
    private func callNext() -> Bool {
        guard let call = nextCall() else { return false }
        call()
        return !CurrentProcess.isForked
    }

    /// The event handler is released before the cancel handler is called.
    private func nextCall() -> Handler? {
        let (call, released) = delivery.withLock { $0.next(isAwaited: queue == nil) }
        withExtendedLifetime(released) {}
        return call
    }
}
