public import FoundationEssentials

/// `localizedDescription`, and an `NSError` that is made from this, say what `description` says.
extension GroupFileError: LocalizedError {
    /// The same as `description`: in one line, what happened, where, and what to do.
    public var errorDescription: String? { description }
}
