import SystemCalls

/// Gives a temporary file the value's name, in one atomic step.
///
/// 1. The two names are *exchanged*, so that what was displaced is still there; where nothing has the value's name, the
///    file is *created* there.
/// 2. Where the file system cannot exchange names, the old file is linked to a second name first, and replaced then;
///    where it cannot rename without replacing, the new file is linked, too.
struct NameExchange {
    /// The temporary file's name in the control directory.
    let temporary: String
    let control: Directory
    /// The value's name.
    let name: String
    let directory: Directory

    /// Whether the file still has its temporary name.
    private(set) var hasTemporary = true
    /// The name that the displaced file has now: the temporary file's, or the second one.
    private(set) var displaced: String?

    init(_ temporary: String, in control: Directory, with name: String, in directory: Directory) {
        self.temporary = temporary
        self.control = control
        self.name = name
        self.directory = directory
    }

    /// False for `.create` if something has the name. Throws `.exists` if something has the second name.
    mutating func publish(_ mode: CommitMode) throws(Errno) -> Bool {
        if mode == .create { return try create() }
        while try !exchange() {
            if try create() { break }
        }
        return true
    }

    /// False if something has the name already.
    private mutating func create() throws(Errno) -> Bool {
        do throws(Errno) {
            try control.rename(temporary, to: name, in: directory, .noReplace)
            hasTemporary = false
            return true
        } catch .exists {
            return false
        } catch  where error.isUnknownFlag {
            return try createLinked()
        }
    }

    /// A file system without RENAME_NOREPLACE: a link does not replace either.
    private func createLinked() throws(Errno) -> Bool {
        do throws(Errno) {
            try control.link(temporary, to: name, in: directory)
        } catch .exists {
            return false
        } catch  where error.isUnknownLink {
            throw .notSupported  // Linking our own file is never forbidden.
        }
        return true
    }

    /// False if nothing has the name.
    private mutating func exchange() throws(Errno) -> Bool {
        do throws(Errno) {
            try control.rename(temporary, to: name, in: directory, .exchange)
            (hasTemporary, displaced) = (false, temporary)
            return true
        } catch .noEntry {
            // Either name may be missing: if it is the temporary file's, the lock was lost, and creating fails in the
            // same way.
            return false
        } catch  where error.isUnknownFlag {
            return try replaceLinked()
        }
    }

    /// A file system without RENAME_EXCHANGE: the old file gets a second name, so that replacing it loses nothing.
    private mutating func replaceLinked() throws(Errno) -> Bool {
        let second = ControlName.old(beside: temporary)
        do throws(Errno) {
            try directory.link(name, to: second, in: control)
        } catch .noEntry {
            return false
        } catch  where error.isUnknownLink {
            throw try canLink(to: second) ? error : .notSupported
        }
        // If the rename fails, both names in the control directory are removed, and the value is unchanged.
        displaced = second
        try control.rename(temporary, to: name, in: directory, .replace)
        hasTemporary = false
        return true
    }

    /// Whether the file system supports hard links at all: tried with our own file, because the kernel may forbid
    /// linking another user's.
    private func canLink(to second: String) throws(Errno) -> Bool {
        do throws(Errno) {
            try control.link(temporary, to: second)
        } catch {
            return false
        }
        try control.unlink(second)
        return true
    }
}
