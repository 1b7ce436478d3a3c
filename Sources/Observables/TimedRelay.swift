import Dispatch
import SystemCalls

/// Passes values on when a policy says so. Only this and `first(timeout:)` wait for a clock in this module.
///
/// 1. **offer** a value, or **wake** from an alarm: the policy decides, under the lock.
/// 2. **publish** what it emits to `output`, and its alarm to `alarms`, still under the lock, so that both stay in
///    order.
/// 3. **run** what that made ready, outside: handlers one at a time, on the sender's thread or, after an alarm, on a
///    queue. Swift's concurrency pool has as many threads as there are processors: a handler that blocks must not take
///    one.
/// 4. **sleep** in the one task of this subscription until the newest alarm; while there is none it is suspended.
///
/// `policy` is guarded by its lock. The subscription keeps the relay alive, and the task does not: once the
/// subscription is cancelled, nothing holds an element any more, however late the task ends.
final class TimedRelay<Policy: TimedPolicy, C: Clock>: Sendable where Policy.Instant == C.Instant {
    private let clock: C
    private let policy: Guarded<Policy>
    private let output = Channel<Policy.Element?>(nil)
    private let alarms = Channel<C.Instant?>(nil)
    /// Each relay has its own queue, so that a handler that blocks holds up no other relay.
    private let queue = DispatchQueue(label: "group-files.timed")

    init(_ policy: Policy, clock: C) {
        self.policy = Guarded(policy)
        self.clock = clock
    }

    func connect(
        _ stream: some ValueStream<Policy.Element>,
        to handler: @escaping @Sendable (Policy.Element) -> Void
    ) -> Subscription {
        let downstream = output.subscribe(.caller, initially: false) { element in
            if let element { handler(element) }
        }
        let timer = Task { [weak self, alarms, clock] in
            var reader = alarms.makeReader()
            while let alarm = await reader.next() {
                guard let alarm else { continue }
                do { try await clock.sleep(until: alarm, tolerance: nil) } catch {
                    if Task.isCancelled { return }
                    // The clock cannot sleep: better early than never.
                }
                self?.wake(from: alarm)
            }
        }
        let upstream = stream.sink(on: nil) { [self] element in
            let now = clock.now
            decide { $0.offer(element, at: now) }.run()
        }
        return Subscription(keeping: self) { mayWait in
            timer.cancel()
            upstream.cancel(mayWait: mayWait)
            downstream.cancel(mayWait: mayWait)
        }
    }

    private func decide(_ decide: (inout Policy) -> TimedDecision<Policy.Element, C.Instant>) -> ReadyList {
        // Elements are released after the lock, because the user's `deinit` may send.
        let (ready, _, _) = policy.withLock { policy in
            let decision = decide(&policy)
            var (ready, old) = (ReadyList(), Payload?.none)
            if let element = decision.emitted { (ready, old) = output.exchange(element) }
            if let alarm = decision.alarm { ready.append(alarms.publish(alarm)) }
            return (ready, old, decision)
        }
        return ready
    }

    private func wake(from alarm: C.Instant) {
        let now = clock.now
        let ready = decide { $0.wake(from: alarm, at: now) }
        if !ready.isEmpty { queue.async { ready.run() } }
    }
}
