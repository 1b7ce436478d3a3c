import Synchronization
import SystemCalls

/// The supervisor waits here for its next deadline, and for something to be mounted. Setting the alarm wakes nobody
/// before its time.
///
/// It is a timer descriptor of the kernel or, if none is available, a semaphore with a timeout, where setting the alarm
/// costs a wake-up, and nobody waits for something to be mounted.
final class Alarm: Sendable {
    private enum Clock: ~Copyable {
        case kernel(Timer)
        case semaphore
    }

    private let clock: Clock
    private let mounts = MountTable()
    /// Used if there is no timer: signalled when `moment` is set.
    private let changed = Semaphore()
    /// Guarded by itself; used if there is no timer.
    private let moment = Guarded<Moment?>(nil)
    private let lacksTimer: Bool
    /// Whether the program has closed a descriptor, or put another file in its place.
    private let isLost = Atomic(false)

    init() {
        do throws(Errno) {
            let timer = try Timer()
            // A sandbox may refuse that.
            clock = timer.set(Moment(nanoseconds: .max)) ? .kernel(timer) : .semaphore
            lacksTimer = false
        } catch {
            clock = .semaphore
            lacksTimer = error.isWantOfDescriptors
        }
    }

    /// Whether a part of it has no descriptor, because none was left or because it was lost. Then a new alarm may do
    /// better.
    var lacksDescriptors: Bool { lacksTimer || mounts.lacksDescriptor || isLost.load(ordering: .relaxed) }

    /// Replaces what was set before. False if that is impossible, because the program has closed or replaced the
    /// descriptor.
    @discardableResult
    func set(_ moment: Moment) -> Bool {
        switch clock {
        case .kernel(let timer):
            return timer.set(moment)
        case .semaphore:
            self.moment.withLock { $0 = moment }
            changed.signal()
            return true
        }
    }

    /// Returns at the moment that was set last, or earlier: true if something was mounted or unmounted.
    func wait() -> Bool {
        switch clock {
        case .kernel(let timer):
            do throws(Errno) {
                return try timer.wait(orChangeOf: mounts)
            } catch {
                isLost.store(true, ordering: .relaxed)
                return false
            }
        case .semaphore:
            while true {
                let now = Moment.now
                guard let moment = moment.withLock({ $0 }) else {
                    changed.wait()
                    continue
                }
                if moment <= now {
                    self.moment.withLock { $0 = nil }
                    return false
                }
                _ = changed.wait(until: moment)
            }
        }
    }
}
