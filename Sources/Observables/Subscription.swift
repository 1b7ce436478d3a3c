import SystemCalls

/// A handler's subscription. It ends when `cancel()` is called, or when the last reference to it is released.
///
/// Subscriptions are equal if they are the same object.
public final class Subscription: Sendable {
    private let end: @Sendable (_ mayWait: Bool) -> Void
    /// What the subscription keeps alive; nil once it has ended. Guarded by its lock.
    private let kept: Guarded<Payload?>

    /// Creates a subscription, for a stream of your own, or to keep another library's subscription among these.
    ///
    /// - Parameter cancel: Ends the subscription. Called once: on the thread that calls `cancel()` first, before that
    ///   call returns, or else on the thread that releases the last reference. A second `cancel()` does not wait for
    ///   it.
    public convenience init(_ cancel: @escaping @Sendable () -> Void) {
        let once = Guarded(Once(cancel: cancel))
        self.init { _ in
            let cancel = once.withLock { $0.cancel.take() }
            cancel?()
        }
    }

    private struct Once: Sendable {
        var cancel: (@Sendable () -> Void)?
    }

    /// - Parameters:
    ///   - kept: Stays alive until the subscription ends.
    ///   - cancel: Ends the subscription; may be called any number of times, on any thread. If it may wait, it returns
    ///     only after the call that another thread is making has ended.
    package init(keeping kept: Payload? = nil, cancel: @escaping @Sendable (_ mayWait: Bool) -> Void) {
        self.kept = Guarded(kept)
        end = cancel
    }

    deinit {
        if !CurrentProcess.isForked { end(false) }
    }

    /// Ends the subscription and releases its handler. A second call does no harm.
    ///
    /// Once this has returned the handler does not start again. If another thread is making a call at this moment, this
    /// waits until it ends: do not hold a lock that the handler takes. It does not wait
    /// - inside any handler of this library, so that handlers may cancel themselves and each other; Observation's
    ///   handlers and codecs count as handlers, the body of an update does not. But if a handler waits for another
    ///   thread that cancels it, both wait for ever;
    /// - in `deinit`;
    /// - where calls are made on a queue (`on:`, `receive(on:)`). There the promise holds for a `cancel()` made on that
    ///   serial queue.
    public func cancel() {
        cancel(mayWait: true)
    }

    /// Stores the subscription in a set, which keeps it alive.
    public func store(in subscriptions: inout Set<Subscription>) {
        subscriptions.insert(self)
    }

    /// Stores the subscription at the end of an array, or of a similar collection, which keeps it alive.
    public func store<Subscriptions: RangeReplaceableCollection>(
        in subscriptions: inout Subscriptions
    ) where Subscriptions.Element == Subscription {
        subscriptions.append(self)
    }

    package func cancel(mayWait: Bool) {
        // A forked child does not share its parent's subscriptions, and locks may be held for ever there.
        if CurrentProcess.isForked { return }
        end(mayWait && !HandlerScope.isInside)
        // Released outside of the lock, because this may be the last reference.
        _ = kept.withLock { $0.take() }
    }
}

extension Subscription: Hashable {
    /// Whether both are the same subscription.
    public static func == (left: Subscription, right: Subscription) -> Bool {
        left === right
    }

    /// Hashes its identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
