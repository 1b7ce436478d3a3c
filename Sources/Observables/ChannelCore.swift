import Dispatch
import SystemCalls

/// An element in its box.
package typealias Payload = any AnyObject & Sendable

/// The inside of a `Channel`, which moves boxes and not elements: generic code that is not specialized for its elements
/// requests a type's metadata at every step, which made a publication take five times as long.
///
/// 1. **publish** stores the payload, increments the version and collects what that makes ready, under the lock.
/// 2. **start**: the publisher runs that outside of the lock: on its own thread, by an executor, or on a queue.
/// 3. **take**: the thread that started a slot owns it, and takes the newest payload that the slot has not seen.
/// 4. **call** the handler, outside of the lock, in the `HandlerScope`; then take again, until there is nothing new.
/// 5. **leave**: if the slot was cancelled meanwhile, notify those that wait for the call to end.
///
/// Sequences have no slot: a reader remembers its version and registers only while it is suspended. All mutable state
/// is in `state`, guarded by its lock. Neither handlers nor the user's `deinit` run under it.
package final class ChannelCore: Sendable {
    let state: Guarded<ChannelState>

    package init(_ payload: Payload) {
        state = Guarded(ChannelState(payload))
    }

    package var current: Payload { state.withLock { $0.payload } }

    /// How many tasks are suspended in `PayloadReader.next`.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Publishes what `update` returns for the newest payload; nil if that is nil.
    package func publish(update: (Payload) -> Payload?) -> ReadyList? {
        // The old payload is released outside of the lock.
        let outcome = state.withLock { state in update(state.payload).map { state.publish($0) } }
        return outcome?.ready
    }

    /// Puts what `update` returns in the place of the newest payload, unless that is nil, and tells nobody: for those
    /// that come it is the newest.
    package func replace(update: (Payload) -> Payload?) {
        // The old payload is released outside of the lock.
        _ = state.withLock { state in update(state.payload).map { state.replace($0) } }
    }

    // MARK: Slots

    package func subscribe(
        _ delivery: Delivery,
        initially: Bool,
        _ handler: @escaping @Sendable (Payload) -> Void
    ) -> Subscription {
        let slot = state.withLock { state in
            let slot = ChannelSlot(id: state.makeID(), delivery: delivery, core: self)
            state.insert(slot, handler, initially: initially)
            return slot
        }
        let handle = SlotHandle(slot)
        let subscription = Subscription { mayWait in handle.cancel(mayWait: mayWait) }
        // Last of all, because its first call may begin at once.
        if initially {
            if slot.delivery.isCaller { drain(slot, isOwned: true) } else { slot.start() }
        }
        return subscription
    }

    fileprivate func drain(_ slot: ChannelSlot, isOwned: Bool = false) {
        // All of this is inside the scope: releasing an element may run the user's code as well.
        HandlerScope.run {
            guard perform({ $0.take(slot.id, starting: !isOwned) }, for: slot) else { return }
            if slot.delivery.isQueue {
                _ = perform({ $0.pause(slot.id) }, for: slot)
            } else {
                while perform({ $0.take(slot.id, starting: false) }, for: slot) {}
            }
        }
    }

    /// Decides under the lock, acts outside. Handler and payload are released when this returns, before the next step
    /// is decided: so nothing of a call is left when a wait for its end returns. Returns whether to take again: the
    /// handler was called, and this is not a child that it forked, where the lock may be held for ever.
    private func perform(_ decide: (inout ChannelState) -> ChannelState.Step, for slot: ChannelSlot) -> Bool {
        switch state.withLock({ decide(&$0) }) {
        case .call(let handler, let payload):
            handler(payload)
            return !CurrentProcess.isForked
        case .again: slot.start()
        case .rest: break
        case .leave(let call): call.end()
        }
        return false
    }

    fileprivate func cancel(_ id: UInt64) -> CallInProgress? {
        let (_, call) = state.withLock { $0.cancel(id) }
        return call
    }

    // MARK: Waiters

    enum Look: Sendable {
        case new(Payload, version: UInt64)
        case nothing(id: UInt64)
    }

    /// What was published after `seen`, or an id to wait under.
    func look(after seen: UInt64) -> Look {
        state.withLock { state in
            state.version > seen ? .new(state.payload, version: state.version) : .nothing(id: state.makeID())
        }
    }

    /// Registers the waiter, or resumes it at once if it need not wait.
    func register(_ waiter: Waiter, after seen: UInt64) {
        if !state.withLock({ $0.enqueue(waiter, after: seen) }) { waiter.resume() }
    }

    /// Resumes the waiter, if it still waits; if it `isKept`, on this thread.
    func wake(_ id: UInt64, isKept: Bool = false) {
        state.withLock { $0.dequeue(id) }?.resume(isKept: isKept)
    }
}

/// A subscriber's identity, and where its handler is called. Its mutable part is in `ChannelState`.
final class ChannelSlot: Sendable {
    let id: UInt64
    let delivery: Delivery
    /// A reference cycle, which ends with the subscription: that removes the slot from the channel.
    let core: ChannelCore

    init(id: UInt64, delivery: Delivery, core: ChannelCore) {
        self.id = id
        self.delivery = delivery
        self.core = core
    }

    /// Starts the delivery where the subscriber wants it; with `.caller` it has ended when this returns.
    func start() {
        switch delivery {
        case .caller: run()
        case .executor(let executor): executor.execute { self.run() }
        case .queue(let queue): queue.async { self.run() }
        }
    }

    func run() {
        core.drain(self)
    }

    /// Cancels the slot. Returns the call in progress, if it may be waited for.
    func cancel() -> CallInProgress? {
        let call = core.cancel(id)
        return delivery.isQueue ? nil : call
    }
}
