import Dispatch

extension DispatchTime {
    /// So far from now; nil, and what no clock reaches, is never.
    static func after(_ duration: Duration?) -> DispatchTime {
        guard let duration, duration < .seconds(1 << 30) else { return .distantFuture }
        let (seconds, attoseconds) = max(duration, .zero).components
        return .now() + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
