import Dispatch
import SystemCalls

extension DispatchTime {
    /// So far from now; nil, and what no clock reaches, is never.
    static func after(_ duration: Duration?) -> DispatchTime {
        guard let moment = Moment.after(duration) else { return .distantFuture }
        return DispatchTime(uptimeNanoseconds: UInt64(moment.nanoseconds))
    }
}
