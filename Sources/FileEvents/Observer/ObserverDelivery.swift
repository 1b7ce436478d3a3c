import SystemCalls

/// Decides which of a ``FileObserver``'s handlers is called next. That is decided under the observer's lock, and done
/// outside of it.
///
/// A handler that a setter or `next` returns as released may hold anything, even the observer. The caller releases it
/// outside of the lock, because releasing the observer takes the lock.
struct ObserverDelivery {
    typealias Event = FileObserver.FileSystemEvent
    typealias Handler = @Sendable () -> Void

    private enum Phase {
        case inactive, active, cancelled
        /// The cancel handler was called, or is being called.
        case ended
    }

    private var phase = Phase.inactive
    private var eventHandler: Handler?
    private var cancelHandler: Handler?
    private var pending: Event = []
    /// What the event handler was last called for.
    private(set) var data: Event = []
    /// One delivery at a time, so that calls never overlap.
    private var isDelivering = false
    /// Whether the event handler is being called on a thread of the library, and what callers of `cancel` wait on.
    private var isCalling = false
    private var waiting: CallInProgress?

    private var isActive: Bool { phase == .active }
    var isCancelled: Bool { phase == .cancelled || phase == .ended }

    /// A handler set after a cancel would never be called, and never be released.
    mutating func setEventHandler(_ handler: Handler?) -> Handler? {
        isCancelled ? handler : exchange(&eventHandler, with: handler)
    }

    mutating func setCancelHandler(_ handler: Handler?) -> Handler? {
        phase == .ended ? handler : exchange(&cancelHandler, with: handler)
    }

    /// True once.
    mutating func activate() -> Bool {
        guard phase == .inactive else { return false }
        phase = .active
        return true
    }

    enum Cancelling {
        case wasCancelled
        /// With `mustSubmit`, no delivery is under way that would call the cancel handler.
        case cancelled(mustSubmit: Bool)
    }

    mutating func cancel() -> Cancelling {
        if isCancelled { return .wasCancelled }
        phase = .cancelled
        pending = []
        return .cancelled(mustSubmit: begin())
    }

    /// True if a delivery has to be submitted.
    mutating func add(_ event: Event) -> Bool {
        guard isActive, !event.isEmpty else { return false }
        pending.formUnion(event)
        return begin()
    }

    private mutating func begin() -> Bool { !exchange(&isDelivering, with: true) }

    /// The next call; nil if the delivery has ended. With `isAwaited`, `cancel` waits for the call.
    mutating func next(isAwaited: Bool) -> (call: Handler?, released: Handler?) {
        if phase == .cancelled {
            phase = .ended
            return (cancelHandler.take() ?? {}, eventHandler.take())
        }
        guard isActive, !pending.isEmpty else {
            isDelivering = false
            return (nil, nil)
        }
        data = pending
        pending = []
        isCalling = isAwaited
        return (eventHandler ?? {}, nil)
    }

    /// Ends the delivery if nothing is pending. Otherwise returns true: it has to be submitted again, so that a busy
    /// file does not keep the main queue for itself.
    mutating func continues() -> Bool {
        isDelivering = phase == .cancelled || isActive && !pending.isEmpty
        return isDelivering
    }

    /// What a caller of `cancel` has to wait for.
    mutating func callInProgress() -> CallInProgress? {
        guard isCalling else { return nil }
        let call = waiting ?? CallInProgress()
        waiting = call
        return call
    }

    /// Notes that the call has ended. The caller has to notify those that wait for it, through what this returns.
    mutating func endCall() -> CallInProgress? {
        isCalling = false
        return waiting.take()
    }
}
