import SystemCalls

extension GroupFileError {
    /// `next` is who waits for it first; one that is stopped does not take it, and keeps the others waiting.
    static func lockTimedOut(
        _ path: String, _ timeout: Duration, holder: LockHolder?, next: LockHolder? = nil
    ) -> GroupFileError {
        let program = (holder ?? next)?.program.map { " (\($0))" } ?? ""
        let who =
            switch holder?.process {
            case .none where next.map { $0.process != CurrentProcess.identifier } ?? false:
                "it is the turn of process \(next?.process ?? 0)\(program), which does not take it; if that is stopped, continue it with kill -CONT, or end it"
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
