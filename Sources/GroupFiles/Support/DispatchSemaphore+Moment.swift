import Dispatch
import SystemCalls

extension DispatchSemaphore {
    /// False if it was not signalled until `end`; nil is for ever.
    ///
    /// On Linux dispatch waits by the time of day. If that is set forward, this goes on waiting; if it is set back, this
    /// waits for longer.
    func wait(until end: Moment?) -> Bool {
        guard let end else {
            wait()
            return true
        }
        while wait(timeout: DispatchTime(uptimeNanoseconds: UInt64(end.nanoseconds))) == .timedOut {
            if end <= .now { return false }
        }
        return true
    }
}
