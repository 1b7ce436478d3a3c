/// No value for which the predicate held came in time.
public struct TimedOut: Error, Hashable, CustomStringConvertible {
    /// How long the call waited for it.
    public let timeout: Duration

    /// The error for a wait of that length.
    ///
    /// - Parameter timeout: How long the call waited for it.
    public init(timeout: Duration) {
        self.timeout = timeout
    }

    /// A sentence that describes the error. `localizedDescription` returns the same where `GroupFiles` is imported.
    public var description: String {
        let what = timeout > .zero ? "met the condition within \(timeout)" : "meets the condition now"
        return "no value \(what); wait longer, or find out why"
    }
}
