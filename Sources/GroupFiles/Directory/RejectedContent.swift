import SystemCalls

/// Content that did not decode, or cannot be carried over, and was about to be overwritten: kept for its user as
/// `<name>.rejected`, `.rejected.1` … `.9`.
enum RejectedContent {
    /// Removes, or keeps, what a killed writer may have left in the control directory: its temporary file, or the file
    /// that it displaced and that nobody has judged yet.
    ///
    /// The two can only be told apart if the temporary file was not finished. Otherwise a file that holds a value, or
    /// is empty, is thrown away, and any other is kept. False if this user may not move the file, or if all ten places
    /// are taken by directories, of which none is removed: neither must keep anybody from writing.
    static func sweep(
        _ temporary: String, of name: String, in control: Directory, limit: Int, isWorthless: (Content) -> Bool
    ) throws(Errno) -> Bool {
        do throws(Errno) {
            let status = try control.status(of: temporary)
            // The lock file names it again and again until its owner comes. No other user should read it each time.
            if mayNotBeMoved(status, from: control) { return false }
            if TemporaryFile.isUnfinished(status) {
                try control.unlink(temporary)
                return true
            }
            let left = SealedFile.read(temporary, in: control, limit: limit)
            if left == .missing { return true }
            // Nobody knows what it is, and nothing has been published yet, so it stays for the next writer.
            if let exhaustion = left.exhaustion { throw exhaustion }
            if left.isEmpty || isWorthless(left) {
                try control.unlink(temporary)
            } else {
                _ = try keep(temporary, left, of: name, in: control, limit: limit)
            }
            return true
        } catch  where error == .noEntry || error == .nameTooLong {
            return true  // It is not there, or no longer.
        } catch  where [.notPermitted, .accessDenied, .exists].contains(error) {
            return false
        }
    }

    /// Whether the control directory is sticky, and neither it nor the file is ours; never for root.
    private static func mayNotBeMoved(_ status: FileStatus, from control: Directory) -> Bool {
        control.permissions & 0o1000 != 0 && ![0, status.owner, control.owner].contains(CurrentProcess.effectiveUser)
    }

    /// Moves a file of the control directory to the kept ones. If its content equals that of a kept file, it replaces
    /// that one, so that a process that is still writing into the moved file goes on in a file that has a name. A file
    /// that is longer than `limit`, or cannot be read, is kept, too, but not compared. Returns the name under which it
    /// is kept; nil if the same content was kept already.
    static func keep(
        _ temporary: String, _ content: Content, of name: String, in control: Directory, limit: Int
    ) throws(Errno) -> String? {
        let identity = try control.status(of: temporary).identity
        var free: String?
        var oldest: (place: String, changed: Int64)?
        for place in ControlName.rejected(ofValue: name) {
            let status: FileStatus
            do throws(Errno) { status = try control.status(of: place) } catch .noEntry {
                free = free ?? place
                continue
            }
            if status.identity == identity {
                // A hard link to the same file, for which rename(2) would do nothing.
                try control.unlink(temporary)
                return nil
            }
            if status.kind == .regular, case .bytes(let bytes) = content, status.size == bytes.count {
                if SealedFile.read(place, in: control, limit: limit) == content {
                    try control.rename(temporary, to: place, .replace)
                    return nil
                }
            }
            if status.kind != .directory, oldest.map({ status.changed < $0.changed }) ?? true {
                oldest = (place, status.changed)
            }
        }
        guard let place = free ?? oldest?.place else { throw .exists }
        do throws(Errno) {
            try control.rename(temporary, to: place, .replace)
        } catch .notDirectory {
            // rename(2) does not replace a file by a directory.
            try control.unlink(place)
            try control.rename(temporary, to: place, .noReplace)
        }
        return place
    }
}
