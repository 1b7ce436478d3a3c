import SystemCalls

/// The file that a write displaced: it has another name, in the control directory, until its fate is decided.
///
/// 1. It is *read*; if that fails, its status may identify it, else it stays unread.
/// 2. It is thrown away if it is worthless, or else *kept* for its user.
/// 3. If it can be neither thrown away nor kept, it is *put back*, unless somebody has saved over what was written:
///    what was saved is newer than both.
struct DisplacedFile {
    /// What was about to be displaced. A class, because copying its parts would cost each write more.
    final class Known: Sendable {
        let content: Content
        /// How the file looked then.
        let status: FileStatus
        /// Whether this process wrote it, and times tell versions of it apart.
        let isOwn: Bool

        init(_ content: Content, _ status: FileStatus, isOwn: Bool) {
            self.content = content
            self.status = status
            self.isOwn = isOwn
        }
    }

    enum Outcome {
        /// It is to be removed.
        case worthless
        /// Its name in the control directory; nil if the same content was kept before.
        case kept(String?)
        /// It is in the value's place again. What was written, if it still exists, has this file's name now, and is to
        /// be removed.
        case putBack(GroupFileError)
        /// A user's file has the name in the control directory, and must not be removed. What was written is published.
        case left(GroupFileError)
    }

    /// Its name in the control directory.
    let place: String
    /// The value's lock, which is held.
    let lock: ValueLock
    let file: DirectoryFile
    /// What has taken its place.
    let successor: PreparedFile
    /// What is known of it, if this process wrote it, or read it before.
    let known: Known?

    private var name: String { lock.name }
    private var control: Directory { lock.control }
    private var directory: Directory { lock.directory }
    /// For errors.
    private var path: String { file.path }

    /// Takes from the successor the permissions that the displaced file has lost since we looked at it, because nobody
    /// else can tell that it has lost them. Skipped if only the owner was given any: nothing has to be kept from the
    /// owner, and it would cost each write one more call. Returns the status of the displaced file, if it was looked
    /// at.
    func narrowSuccessor() throws(Errno) -> FileStatus? {
        let given = successor.permissions
        if given & 0o077 == 0 { return nil }
        do throws(Errno) {
            let lost = try control.status(of: place)
            if lost.kind != .regular || given & ~lost.permissions == 0 && lost.group == successor.replacedGroup {
                return lost
            }
            // A file that somebody else has put there since keeps its permissions. It is looked at first, because it
            // may be something that must not be opened.
            if isForeign(name, in: directory) { return lost }
            let file = try directory.open(name, [.readOnly, .nonBlocking])
            let status = try file.status()
            if status.identity != successor.status.identity { return lost }
            let allowed = TemporaryFile.permissions(like: lost, ofGroup: status.group)
            try file.setPermissions(status.permissions & allowed)
            return lost
        } catch .noEntry {
            return nil  // One of the two was removed.
        }
    }

    /// Its content, if this process wrote it, and nobody has changed it since: takes one look instead of opening and
    /// reading it, or none if it has just been `lookedAt`.
    func ownContent(lookedAt status: FileStatus?) -> Content? {
        guard let known, known.isOwn else { return nil }
        do throws(Errno) {
            let status = if let status { status } else { try control.status(of: place) }
            return status.isSameVersion(as: known.status) ? known.content : nil
        } catch {
            return nil
        }
    }

    /// Decides what becomes of it, and carries that out, except that the caller removes files.
    func dispose(limit: Int, isWorthless: (Content) -> Bool) -> Outcome {
        let content = read(limit)
        let refusal: GroupFileError
        if case .unreadable(.notRegular(let kind)) = content {
            // It took the value's place after our look at that.
            refusal = .notRegular(path, kind)
        } else if isWorthless(content) {
            return .worthless
        } else {
            do throws(Errno) {
                return .kept(try RejectedContent.keep(place, content, of: name, in: control, limit: limit))
            } catch {
                // Somebody removed the control directory, and the file with it.
                if error == .noEntry, isGone { return .worthless }
                refusal = GroupFileError(error, path: path, "keep the content that the write displaced")
            }
        }
        return putBack(because: refusal, limit)
    }

    /// Reads it. If that fails, a look may identify it: a look takes no descriptor, and reads nothing, so it helps
    /// where the file cannot be read for want of a descriptor, or cannot be read just now.
    private func read(_ limit: Int) -> Content {
        let content = SealedFile.read(place, in: control, limit: limit)
        guard case .unreadable(.failed) = content else { return content }
        do throws(Errno) {
            let status = try control.status(of: place)
            if status.kind != .regular { return .unreadable(.notRegular(status.kind)) }
            // The rename has changed its ctime, so that is not compared.
            if let known, status.isSameVersion(as: known.status) { return known.content }
        } catch {
            // A look does not identify it either.
        }
        return content
    }

    private func putBack(because refusal: GroupFileError, _ limit: Int) -> Outcome {
        var left = "it"
        do throws(Errno) {
            if try regainsName(&left) { return .putBack(refusal) }
            // What was written was published, and then saved over. The displaced file can only be kept now.
            left = "what the write displaced"
            let content = SealedFile.read(place, in: control, limit: limit)
            return .kept(try RejectedContent.keep(place, content, of: name, in: control, limit: limit))
        } catch {
            return .left(.notPutBack(path, error, "\(left) is \(ControlDirectory.name)/\(place)"))
        }
    }

    /// Gives it the value's name again. False if somebody has saved over what was written: that file stays in place, or
    /// is put back there. If this throws, `left` says what has the name in the control directory.
    private func regainsName(_ left: inout String) throws(Errno) -> Bool {
        do throws(Errno) {
            try control.rename(place, to: name, in: directory, .exchange)
            if !isForeign(place, in: control) { return true }
            left = "what was saved meanwhile"
            try control.rename(place, to: name, in: directory, .exchange)
            return false
        } catch .noEntry {
            // Somebody removed the value.
            do throws(Errno) {
                try control.rename(place, to: name, in: directory, .noReplace)
                return true
            } catch .exists {
                return false
            }
        } catch  where error.isUnknownFlag {
            // Without an exchange nothing shows what is replaced: a look just before has to do.
            if isForeign(name, in: directory) { return false }
            try control.rename(place, to: name, in: directory, .replace)
            return true
        }
    }

    private var isGone: Bool {
        do throws(Errno) {
            _ = try control.status(of: place)
            return false
        } catch {
            return error == .noEntry
        }
    }

    /// Whether the name belongs to anything but what was written, as far as can be told.
    private func isForeign(_ name: String, in place: Directory) -> Bool {
        do throws(Errno) {
            return try place.status(of: name).identity != successor.status.identity
        } catch {
            return error != .noEntry
        }
    }
}
