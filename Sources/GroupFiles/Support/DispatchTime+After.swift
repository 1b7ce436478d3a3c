import Dispatch
import SystemCalls

extension DispatchTime {
    /// This long from now; never for nil, and for what no clock reaches.
    static func after(_ duration: Duration?) -> DispatchTime {
        guard let moment = Moment.after(duration) else { return .distantFuture }
        return DispatchTime(uptimeNanoseconds: UInt64(moment.nanoseconds))
    }
}
