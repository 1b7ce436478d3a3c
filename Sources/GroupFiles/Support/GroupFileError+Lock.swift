import SystemCalls

extension GroupFileError {
    static func lockTimedOut(_ path: String, _ timeout: Duration, holder: LockHolder?) -> GroupFileError {
        let program = holder?.program.map { " (\($0))" } ?? ""
        let who =
            switch holder?.process {
            case .none: "another program holds it; wait for it to finish, or end it"
            case CurrentProcess.identifier:
                "this very process\(program) holds it; wait for its other thread or task to finish, unless it was started with the lock"
            case .some(let process): "process \(process)\(program) holds it; wait for it to finish, or end it"
            }
        return GroupFileError(.timedOut, path: path, "could not acquire the lock within \(timeout): \(who)")
    }

    static func lockLost(_ path: String) -> GroupFileError {
        GroupFileError(
            .directoryKeepsChanging, path: path,
            "somebody removes the lock's file in \(ControlDirectory.name) again and again, or the directory; find out who; the value is as it was"
        )
    }
}
