/// A file or directory that another process creates for its group is closed to the group until its permissions are set,
/// and to its owner, too, if the umask masks them. A caller that comes at that moment has to retry, because no event
/// announces the change. The retries end after two seconds, in case the other process was killed, or wants the
/// permissions as they are. They do not end earlier, because on a busy machine the other process may be held up for
/// long.
package struct ConcurrentCreation {
    private static let longest: Int64 = 2_000_000_000

    private let wanted: UInt32
    private let end = Moment.now.advanced(byNanoseconds: Self.longest)
    /// Whether a call was refused before, and nothing was found under way.
    private var wasOver = false

    /// `permissions`: those that it has once it is complete.
    package init(until permissions: UInt32) {
        wanted = permissions
    }

    /// Whether the caller should look at the file again; if so, returns after a short sleep.
    package func pausesIfUnderWay(_ status: FileStatus) -> Bool {
        // A directory that contains others is in use, however recent its last change.
        guard lacks(status), status.links <= 2, let age = status.fingerprint.age, age < Self.longest, .now < end
        else { return false }
        Thread.sleep(for: .microseconds(500))
        return true
    }

    /// Whether the file shuts out its group, or its owner.
    private func lacks(_ status: FileStatus) -> Bool {
        // For a directory, permission to read implies permission to search.
        let wanted = status.kind == .directory ? wanted | (wanted & 0o444) >> 2 : wanted
        let missing = wanted & ~status.permissions
        let user = CurrentProcess.effectiveUser
        if status.owner != user { return missing != 0 && wanted & 0o070 != 0 }
        return missing & 0o700 != 0 && user != 0
    }

    /// Whether the refused call may succeed now. Creation may have ended between the refusal and the look, so one retry
    /// is granted in any case.
    package mutating func pausesIfRefusedTooEarly(_ look: () throws(Errno) -> FileStatus) -> Bool {
        do throws(Errno) {
            if pausesIfUnderWay(try look()) { return true }
        } catch {}
        return !exchange(&wasOver, with: true)
    }
}
