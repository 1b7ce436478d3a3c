import Observation
import Synchronization
import SystemCalls

/// What makes a type with one value `Observable` to the standard library.
///
/// 1. **store**: the owner has done so. 2. **claim**: one thread at a time tells; who comes meanwhile asks it to tell
/// again. 3. **tell** the registrar, outside of the lock. 4. **repeat** while somebody asked, else rest.
///
/// Claiming is not for order only: the registrar forgets a tracking handler after it has called it, so that one which
/// sends would be called for its own change, and so on until the stack ends.
///
/// The registrar gets one fixed key path and not the owner's own: a key path into a generic type is built anew at each
/// use, which took a microsecond for each read.
package final class ValueTracking: Sendable {
    private struct Subject: Observable {
        let value: Void = ()
    }

    private enum Phase {
        case idle
        case telling
        case tellingAgain
    }

    private let registrar = ObservationRegistrar()
    /// Guarded by its lock.
    private let phase = Guarded(Phase.idle)
    /// Nobody can be tracking before the first access, and most values are never tracked.
    private let isUsed = Atomic(false)

    package init() {}

    /// Call it before the value is read.
    package func access() {
        if !isUsed.load(ordering: .relaxed) { isUsed.store(true, ordering: .sequentiallyConsistent) }
        registrar.access(Subject(), keyPath: \.value)
    }

    /// Call it after the value has been stored, outside of every lock: a tracking handler then sees the new value.
    package func notify() {
        guard isUsed.load(ordering: .sequentiallyConsistent) else { return }
        let isOurs = phase.withLock { phase in
            let isIdle = phase == .idle
            phase = isIdle ? .telling : .tellingAgain
            return isIdle
        }
        guard isOurs else { return }
        repeat {
            registrar.willSet(Subject(), keyPath: \.value)
            registrar.didSet(Subject(), keyPath: \.value)
        } while phase.withLock { phase in
            let again = phase == .tellingAgain
            phase = again ? .telling : .idle
            return again
        }
    }
}
