import Dispatch
import SystemCalls

extension DispatchTime {
    /// This long from now; never for nil, and for what no clock reaches.
    static func after(_ duration: Duration?) -> DispatchTime {
        Moment.after(duration).map(at) ?? .distantFuture
    }

    static func at(_ moment: Moment) -> DispatchTime {
        DispatchTime(uptimeNanoseconds: UInt64(moment.nanoseconds))
    }
}
