import Dispatch
import SystemCalls

/// A newest-value channel, as tokio's `watch`: one element, a version, and a slot for each subscriber, however slow.
///
/// 1. **publish** stores the element, moves the version on and collects what that makes ready, under the lock.
/// 2. **start**: whoever published runs that outside: on this thread, by an executor, on a queue.
/// 3. **take**: the thread that started a slot owns it, and takes the newest element that the slot has not seen.
/// 4. **call** the handler, outside of the lock, in the `HandlerScope`; then take again, until there is nothing new.
/// 5. **leave**: if the slot was cancelled meanwhile, tell whoever waits for the call to end.
///
/// Sequences have no slot: a `ChannelReader` remembers its version and registers only while it is suspended.
/// Every mutable thing is in `state`, guarded by its lock. Neither handlers nor the user's `deinit` run under it.
package final class Channel<Element: Sendable>: Sendable {
    private let state: Guarded<ChannelState<Element>>

    package init(_ element: Element) {
        state = Guarded(ChannelState(element))
    }

    /// The newest element.
    package var current: Element {
        state.withLock { $0.element }
    }

    /// How many handlers are subscribed. One that was cancelled during its call counts until the call has ended.
    package var subscriberCount: Int {
        state.withLock { $0.slots.count }
    }

    /// How many tasks are suspended in `ChannelReader.next`.
    package var waiterCount: Int {
        state.withLock { $0.waiters.count }
    }

    // MARK: Publishing

    /// Stores the element. What is ready must be run, outside of all locks; nothing has been called yet.
    package func publish(_ element: Element) -> Ready {
        exchange(element).ready
    }

    /// The same for who holds a lock of its own: the replaced element is handed out, to be released outside of that.
    func exchange(_ element: Element) -> (ready: Ready, old: Element) {
        state.withLock { $0.publish(element) }
    }

    /// Publishes if `update`, given the newest element to change, says that there is something new. It is called under
    /// the lock: keep it short, and call nobody.
    package func publish(update: (inout Element) -> Bool) -> Ready {
        let outcome = state.withLock { state -> (ready: Ready, old: Element)? in
            var element = state.element
            return update(&element) ? state.publish(element) : nil
        }
        return outcome?.ready ?? Ready()
    }

    // MARK: Subscribing

    /// Calls `handler` with the newest element (unless `initially` is false), then with changes: the newest only, one
    /// call at a time. With `.caller` the first call has ended when this returns; else it has not been made on this
    /// thread. The subscription cancels when it is released.
    package func subscribe(
        _ delivery: Delivery,
        initially: Bool = true,
        _ handler: @escaping @Sendable (Element) -> Void
    ) -> Subscription {
        let slot = state.withLock { state in
            let slot = ChannelSlot(id: state.makeID(), delivery: delivery, channel: self)
            state.insert(slot, handler, initially: initially)
            return slot
        }
        if initially { slot.start() }
        return Subscription { mayWait in slot.channel.cancel(slot, mayWait: mayWait) }
    }

    /// A place to read the elements in order from a task: the newest first (unless `initially` is false), then changes.
    package func makeReader(initially: Bool = true) -> ChannelReader<Element> {
        ChannelReader(self, seen: initially ? 0 : state.withLock { $0.version })
    }

    fileprivate func drain(_ slot: ChannelSlot<Element>) {
        // All of it is inside of the scope: releasing an element may run the user's code as well.
        HandlerScope.run {
            guard perform({ $0.take(slot.id, starting: true) }, for: slot) else { return }
            if slot.delivery.isQueue {
                _ = perform({ $0.pause(slot.id) }, for: slot)
            } else {
                while perform({ $0.take(slot.id, starting: false) }, for: slot) {}
            }
        }
    }

    /// Decides under the lock, acts outside. Handler and element are released before the next step is decided, so that
    /// nothing of a call outlives it where somebody waits for its end. Returns whether the handler was called.
    private func perform(
        _ decide: (inout ChannelState<Element>) -> ChannelState<Element>.Step,
        for slot: ChannelSlot<Element>
    ) -> Bool {
        switch state.withLock({ decide(&$0) }) {
        case .call(let handler, let element):
            handler(element)
            return true
        case .again: slot.start()
        case .rest: break
        case .leave(let group): group?.leave()
        }
        return false
    }

    private func cancel(_ slot: ChannelSlot<Element>, mayWait: Bool) {
        let (_, call) = state.withLock { $0.cancel(slot.id, mayWait: mayWait && !slot.delivery.isQueue) }
        guard let call else { return }
        call.wait()
        // What the call did has happened before what follows here. The group says so too, but not to the sanitizer.
        state.withLock { _ in }
    }

    // MARK: Waiting

    enum Look: Sendable {
        case new(Element, version: UInt64)
        case nothing(id: UInt64)
    }

    /// What came after `seen`, or an identity to wait under.
    func look(after seen: UInt64) -> Look {
        state.withLock { state in
            state.version > seen
                ? .new(state.element, version: state.version)
                : .nothing(id: state.makeID())
        }
    }

    /// Registers, and resumes at once what need not wait.
    func register(_ waiter: Waiter, after seen: UInt64) {
        if !state.withLock({ $0.enqueue(waiter, after: seen) }) { waiter.resume() }
    }

    /// Resumes that waiter, if it still waits.
    func wake(_ id: UInt64) {
        state.withLock { $0.dequeue(id) }?.resume()
    }
}

/// A subscriber's identity, and the job that calls its handler. What changes about it is in `ChannelState`.
final class ChannelSlot<Element: Sendable>: DeliveredJob {
    let id: UInt64
    let delivery: Delivery
    /// The cycle ends with the subscription, which takes the slot out of the channel.
    let channel: Channel<Element>

    init(id: UInt64, delivery: Delivery, channel: Channel<Element>) {
        self.id = id
        self.delivery = delivery
        self.channel = channel
    }

    func run() {
        channel.drain(self)
    }
}
