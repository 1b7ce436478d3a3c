/// No value for which the predicate held came in time.
public struct TimedOut: Error, Hashable {
    /// How long the call waited for it.
    public let timeout: Duration

    /// - Parameter timeout: how long the call waited for it.
    public init(timeout: Duration) {
        self.timeout = timeout
    }
}
