import Observation
import Synchronization
import SystemCalls

/// Makes a type with one value observable through the standard library's Observation.
///
/// 1. **store**: the owner has stored the value before it calls this type.
/// 2. **claim**: one thread at a time notifies; another thread that comes meanwhile asks it to notify again.
/// 3. **notify** the registrar, outside of the lock.
/// 4. **repeat** if another thread has asked for that, or else rest.
///
/// Claiming does more than keep order: the registrar forgets a tracking handler only after calling it, so a handler
/// that sends would be called for its own change, and so on until the stack overflows.
///
/// The registrar gets one fixed key path instead of the owner's own, because a key path into a generic type is built
/// again at each use, which took a microsecond for each read.
package struct ValueTracking: ~Copyable, Sendable {
    /// Created by the first access. Nothing can be tracked before that, and values that only have sinks are never
    /// tracked.
    private let notifier = AtomicLazyReference<Notifier>()
    /// Whether there is a notifier. Reading the reference itself would request its type's metadata each time.
    private let isTracked = Atomic(false)

    package init() {}

    /// Call this before the value is read. The value is read and stored under one lock, so a thread that stores a value
    /// which this reader does not see finds a notifier.
    package func access() {
        let notifier = notifier.load() ?? notifier.storeIfNil(Notifier())
        isTracked.store(true, ordering: .releasing)
        notifier.access()
    }

    /// Call this after the value has been stored, if another thread is to call `notify`. True if the caller has to
    /// arrange for that: somebody may track the value, and no thread is about to notify.
    package func wantsNotify() -> Bool {
        isTracked.load(ordering: .acquiring) && notifier.load()?.claim() ?? false
    }

    /// Call this after the value has been stored, outside of every lock: a tracking handler then sees the new value.
    package func notify() {
        if isTracked.load(ordering: .acquiring) { notifier.load()?.notify() }
    }
}

private final class Notifier: Sendable {
    private struct Subject: Observable {
        let value: Void = ()
    }

    private enum Phase {
        case idle
        /// A thread was asked to notify.
        case due
        case notifying
        case notifyingAgain
    }

    private let registrar = ObservationRegistrar()
    /// Guarded by its lock.
    private let phase = Guarded(Phase.idle)

    func access() {
        registrar.access(Subject(), keyPath: \.value)
    }

    func claim() -> Bool {
        phase.withLock { phase in
            switch phase {
            case .idle:
                phase = .due
                return true
            case .due: return false
            case .notifying, .notifyingAgain:
                phase = .notifyingAgain
                return false
            }
        }
    }

    func notify() {
        let isOurs = phase.withLock { phase in
            let isResting = phase == .idle || phase == .due
            phase = isResting ? .notifying : .notifyingAgain
            return isResting
        }
        guard isOurs else { return }
        repeat {
            HandlerScope.run {
                registrar.willSet(Subject(), keyPath: \.value)
                registrar.didSet(Subject(), keyPath: \.value)
            }
        } while phase.withLock { phase in
            let again = phase == .notifyingAgain
            phase = again ? .notifying : .idle
            return again
        }
    }
}
