import Dispatch
import SystemCalls

/// An element in its box.
package typealias Payload = any AnyObject & Sendable

/// The untyped core of a `Channel`. It moves boxes rather than elements, because generic code that is not specialized
/// for its elements requests type metadata at every step; that made a publication take five times as long.
///
/// 1. **publish** stores the payload, increments the version and collects the slots and readers that this makes ready,
///    under the lock.
/// 2. **start**: outside of the lock, the publisher starts each of them: on its own thread, on an executor, or on a
///    queue.
/// 3. **take**: the thread that started a slot owns it, and takes the newest payload that the slot has not seen.
/// 4. **call** the handler, outside of the lock, in the `HandlerScope`; then take again, until there is nothing new.
/// 5. **leave**: if the slot was cancelled meanwhile, notify the threads that wait for the call to end.
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

    /// Publishes what `update` returns for the newest payload. If `update` returns nil, nothing is published and the
    /// result is nil.
    package func publish(update: (Payload) -> Payload?) -> ReadyList? {
        // The old payload is released outside of the lock.
        let outcome = state.withLock { state in update(state.payload).map { state.publish($0) } }
        return outcome?.ready
    }

    /// Replaces the newest payload with what `update` returns, unless that is nil, without notifying anybody. Slots and
    /// readers that look afterwards find the replacement.
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
        // Last, because the first call of the handler may begin at once.
        if initially {
            if slot.delivery.isCaller { drain(slot, isOwned: true) } else { slot.start() }
        }
        return subscription
    }

    fileprivate func drain(_ slot: ChannelSlot, isOwned: Bool = false) {
        // All of this is inside the scope, because releasing an element may run the user's code as well.
        HandlerScope.run {
            guard perform({ $0.take(slot.id, starting: !isOwned) }, for: slot) else { return }
            if slot.delivery.isQueue {
                _ = perform({ $0.pause(slot.id) }, for: slot)
            } else {
                while perform({ $0.take(slot.id, starting: false) }, for: slot) {}
            }
        }
    }

    /// Decides under the lock and acts outside of it. The handler and the payload are released when this returns,
    /// before the next step is decided, so that nothing of a call is left when a wait for its end returns. Returns
    /// whether to take again: true if the handler was called, unless this is a child that the handler forked, where the
    /// lock may be held for ever.
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

    /// The payload that was published after `seen`, or else an id for a waiter.
    func look(after seen: UInt64) -> Look {
        state.withLock { state in
            state.version > seen ? .new(state.payload, version: state.version) : .nothing(id: state.makeID())
        }
    }

    /// Registers the waiter, or resumes it at once if there is something new already.
    func register(_ waiter: Waiter, after seen: UInt64) {
        if !state.withLock({ $0.enqueue(waiter, after: seen) }) { waiter.resume() }
    }

    /// Resumes the waiter, if it still waits. If `isKept` is true, this thread keeps the task to run it itself.
    func wake(_ id: UInt64, isKept: Bool = false) {
        state.withLock { $0.dequeue(id) }?.resume(isKept: isKept)
    }
}

/// A subscriber's identity, and where its handler is called. The slot's mutable part is in `ChannelState`.
final class ChannelSlot: Sendable {
    let id: UInt64
    let delivery: Delivery
    /// A reference cycle. It ends with the subscription, which then removes the slot from the channel.
    let core: ChannelCore

    init(id: UInt64, delivery: Delivery, core: ChannelCore) {
        self.id = id
        self.delivery = delivery
        self.core = core
    }

    /// Starts the delivery where the subscriber wants it; with `.caller` the delivery has ended when this returns.
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
