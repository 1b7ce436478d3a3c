/// Why an attempt at a change, or at a part of it, failed. This is thrown because an outcome type that contains the
/// result would be generic, and its metadata would be looked up at each change.
enum FailedAttempt: Error {
    /// Do not try again.
    case failed(GroupFileError)
    /// Try again: the lock was lost, for this reason, or the directory was replaced by another one.
    case retry(GroupFileError?)
}
