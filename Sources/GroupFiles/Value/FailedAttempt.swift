/// Why an attempt at a change, or at a part of it, came to nothing. Thrown, because an outcome that has the result in it
/// would be a generic type, whose metadata would be looked up at each change.
enum FailedAttempt: Error {
    /// For good.
    case failed(GroupFileError)
    /// It is to be made once more: the lock was lost, for this reason, or the directory was exchanged for another one.
    case retry(GroupFileError?)
}
