import SystemCalls

extension GroupFileError {
    static func lockTimedOut(_ path: String, _ timeout: Duration, holder: LockHolder?) -> GroupFileError {
        let who =
            switch holder {
            case .none: "another program"
            case .some(let holder): "process \(holder.process)" + (holder.program.map { " (\($0))" } ?? "")
            }
        return GroupFileError(
            .timedOut, path: path,
            "the lock was not to be had within \(timeout): \(who) holds it; wait for it to finish, or end it")
    }

    static func lockLost(_ path: String) -> GroupFileError {
        GroupFileError(
            .directoryKeepsChanging, path: path,
            "somebody removes the lock's file in \(ControlDirectory.name) again and again, or the directory; find out who; the value is as it was"
        )
    }
}
