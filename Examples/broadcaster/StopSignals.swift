import Foundation

/// Ctrl-C, SIGTERM and a closed terminal, waited for instead of dying of them.
///
/// Blocked rather than handled: one that comes at any moment, however early, is still there to be waited for.
struct StopSignals {
    private var set = sigset_t()

    /// Before there are other threads, so that they block them too: sigprocmask(2).
    init() {
        unsafe sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
        unsafe sigprocmask(SIG_BLOCK, &set, nil)
    }

    /// Whether one came within that time: sigtimedwait(2).
    mutating func come(within time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        while true {
            let (seconds, attoseconds) = max(.zero, end - .now).components
            var limit = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            if unsafe sigtimedwait(&set, nil, &limit) > 0 { return true }
            // Stopped and continued, it goes on waiting.
            if errno != EINTR { return false }
        }
    }
}
