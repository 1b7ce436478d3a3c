import Dispatch
import SystemCalls

/// Passes values on when a policy says so; the only place of this module, with `first(timeout:)`, that waits for a clock.
///
/// 1. **offer** a value, or **wake** from an alarm: the policy decides, under the lock.
/// 2. **publish** what it emits into `output`, and its alarm into `alarms`, still under the lock: so both are in order.
/// 3. **run** what that made ready, outside: handlers one at a time, on the sender's thread or, where the timer has woken, on
///    a queue. Swift's concurrency pool has as many threads as there are processors: a handler that blocks must not have one.
/// 4. **sleep** in the one task of this subscription until the newest alarm; while there is none it is suspended.
///
/// `policy` is guarded by its lock. The subscription keeps the relay, and the task does not: what is cancelled holds no
/// element any more, however late the task comes to its end.
final class TimedRelay<Policy: TimedPolicy, C: Clock>: Sendable where Policy.Instant == C.Instant {
    private let clock: C
    private let policy: Guarded<Policy>
    private let output = Channel<Policy.Element?>(nil)
    private let alarms = Channel<C.Instant?>(nil)
    /// Of its own: one that blocks holds up no other.
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
                    // A clock that cannot sleep: better early than never.
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
        // Elements are released after the lock: the user's `deinit` may send.
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
