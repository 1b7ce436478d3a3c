import SystemCalls

/// The supervisor waits here for its next deadline, and for something to be mounted. Setting it wakes nobody before its
/// time.
///
/// It is a timer descriptor of the kernel; if none is left, a semaphore with a timeout, which costs a wake-up when it
/// is set.
final class Alarm: Sendable {
    private enum Clock: ~Copyable {
        case kernel(Timer)
        case semaphore
    }

    /// Between looks at the deadlines where there is nothing to wait for.
    private static let blindPause = Duration.seconds(1)

    private let clock: Clock
    private let mounts = MountTable()
    /// Used if there is no timer: signalled when `moment` is set.
    private let changed = Semaphore()
    /// Guarded by itself; used if there is no timer.
    private let moment = Guarded<Moment?>(nil)
    private let lacksTimer: Bool

    init() {
        do throws(Errno) {
            clock = .kernel(try Timer())
            lacksTimer = false
        } catch {
            clock = .semaphore
            lacksTimer = error.isWantOfDescriptors
        }
    }

    /// Whether there was no descriptor for a part of it, so that a later one may do better.
    var lacksDescriptors: Bool { lacksTimer || mounts.lacksDescriptor }

    /// Replaces what was set before.
    func set(_ moment: Moment) {
        switch clock {
        case .kernel(let timer):
            timer.set(moment)
        case .semaphore:
            self.moment.withLock { $0 = moment }
            changed.signal()
        }
    }

    /// Returns at the moment that was set last, or earlier: true if something was mounted or unmounted.
    func wait() -> Bool {
        switch clock {
        case .kernel(let timer):
            do throws(Errno) {
                return try timer.wait(orChangeOf: mounts)
            } catch {
                // The program has closed its descriptor, which is not ours any more: late is better than never.
                _ = changed.wait(until: .now + Self.blindPause)
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
