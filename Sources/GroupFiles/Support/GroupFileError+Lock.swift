import SystemCalls

extension GroupFileError {
    /// `reason` says who holds it, and what to do.
    static func lockTimedOut(_ path: String, after timeout: Duration?, _ reason: String) -> GroupFileError {
        let timeout = timeout ?? .zero
        let patience = timeout == .zero ? "at once" : "within \(timeout)"
        return GroupFileError(.timedOut, path: path, "could not acquire the lock \(patience): \(reason)")
    }

    /// `next` is the first waiter: if that process is stopped, it does not take the lock, and keeps the others waiting.
    /// It is searched for only if no holder was found, because the search looks at each process.
    static func lockTimedOut(
        _ path: String, after timeout: Duration?, holder: LockHolder?, next: @autoclosure () -> LockHolder?
    ) -> GroupFileError {
        let reason =
            if let holder {
                if holder.isThisProcess {
                    "\(holder), which is this process, holds it; wait for its other thread or task to finish, unless it was started with the lock"
                } else if holder.isStopped {
                    "\(holder), which is stopped, holds it; continue it with kill -CONT \(holder.process), or end it"
                } else {
                    "\(holder) holds it; wait for it to finish, or end it"
                }
            } else if let next = next(), next.isStopped {
                "\(next), which is stopped, is next in line; continue it with kill -CONT \(next.process), or end it"
            } else {
                "another program holds it; wait for it to finish, or end it"
            }
        return lockTimedOut(path, after: timeout, reason)
    }

    static func exchangedJustNow(_ path: String) -> GroupFileError {
        GroupFileError(.directoryKeepsChanging, path: path, "the directory was exchanged just now; try again")
    }

    static func lockLost(_ path: String) -> GroupFileError {
        GroupFileError(
            .directoryKeepsChanging, path: path,
            "another program keeps removing the lock file in \(ControlDirectory.name), or the directory; find out which; the value is unchanged"
        )
    }
}
