public import FoundationEssentials
public import Observables

/// `localizedDescription`, and an `NSError` that is made from this, say what `description` says.
extension TimedOut: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
