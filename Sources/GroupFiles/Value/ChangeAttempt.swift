/// What came of one attempt at a change, or at a part of it.
enum ChangeAttempt<R> {
    case done(R)
    /// It is to be made once more: the lock was lost, for this reason, or the directory was exchanged for another one.
    case retry(GroupFileError?)
}

extension ChangeAttempt: Sendable where R: Sendable {}
