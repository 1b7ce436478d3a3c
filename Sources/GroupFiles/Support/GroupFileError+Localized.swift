public import FoundationEssentials

/// `localizedDescription`, and what is made an `NSError`, say what `description` says.
extension GroupFileError: LocalizedError {
    /// The same as `description`: in one line, what happened, where, and what to do.
    public var errorDescription: String? { description }
}
