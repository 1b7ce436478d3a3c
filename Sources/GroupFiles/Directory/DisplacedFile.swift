import SystemCalls

/// What a write displaced: it bears another name in the control directory until it is known what becomes of it.
///
/// 1. It is *read*; where that cannot be done for want of something, it is known by its looks, or stays unread.
/// 2. It is thrown away if it is worthless, or else *kept* for its user.
/// 3. Only where it can neither be thrown away nor kept it is *put back*: unless somebody has saved over what was written,
///    because that is newer than both.
struct DisplacedFile {
    struct Known {
        let content: Content
        /// How the file looked then.
        let status: FileStatus
    }

    enum Outcome {
        /// It is to be removed.
        case worthless
        /// Where it is kept, if it was not before.
        case kept(String?)
        /// It is in the value's place again; what was written bears its name, if anything does, and is to be removed.
        case putBack(GroupFileError)
        /// A user's file bears the name, and must not be removed.
        case left(GroupFileError)
    }

    /// Its name in the control directory.
    let place: String
    let control: Directory
    /// The value's.
    let name: String
    let directory: Directory
    /// The value's, for errors.
    let path: String
    /// The file that was written.
    let made: FileIdentity?
    /// What was to be displaced, where that was read before.
    let known: Known?

    /// Takes from what was written, and `given` these permissions, those that this has lost since it was looked at, when it
    /// was this `group`'s: nobody else can tell that it has. Not asked where only the owner was given any, whom it would not
    /// be kept from: that would be one call more of each write.
    func narrowSuccessor(from given: UInt32, group: UInt32) throws(Errno) {
        if given & 0o077 == 0 { return }
        do throws(Errno) {
            let lost = try control.status(of: place)
            if lost.kind != .regular || given & ~lost.permissions == 0 && lost.group == group { return }
            // What somebody else has put there since has his. A look first: it may be nothing to open.
            if isForeign(name, in: directory) { return }
            let successor = try directory.open(name, [.readOnly, .nonBlocking])
            let status = try successor.status()
            if status.identity != made { return }
            let allowed = TemporaryFile.permissions(like: lost, ofGroup: status.group)
            try successor.setPermissions(status.permissions & allowed)
        } catch .noEntry {
            // The one was taken away, or the other.
        }
    }

    /// Decides, and does all but removing.
    func dispose(limit: Int, isWorthless: (Content) -> Bool) -> Outcome {
        let content = read(limit)
        let refusal: GroupFileError
        if case .unreadable(.notRegular(let kind)) = content {
            // It came into the value's place after that was looked at.
            refusal = .notRegular(path, kind)
        } else if isWorthless(content) {
            return .worthless
        } else {
            do throws(Errno) {
                return .kept(try RejectedContent.keep(place, content, of: name, in: control, limit: limit))
            } catch {
                // Somebody has removed the control directory, and it with that.
                if error == .noEntry, isGone { return .worthless }
                refusal = failure(error, "keep the content that the write displaced")
            }
        }
        return putBack(because: refusal, limit)
    }

    /// To look takes no descriptor.
    private func read(_ limit: Int) -> Content {
        let content = SealedFile.read(place, in: control, limit: limit)
        if content.exhaustion == nil { return content }
        do throws(Errno) {
            let status = try control.status(of: place)
            if status.kind != .regular { return .unreadable(.notRegular(status.kind)) }
            // That it was renamed has changed its other time.
            if let known, status.identity == known.status.identity, status.size == known.status.size,
                status.modified == known.status.modified
            {
                return known.content
            }
        } catch {
            // It cannot be told either.
        }
        return content
    }

    private func putBack(because refusal: GroupFileError, _ limit: Int) -> Outcome {
        var left = "the new value stands, and what it displaced"
        do throws(Errno) {
            if try regainsName(&left) { return .putBack(refusal) }
            // What was written has been published, and saved over. What it displaced has no place but this.
            left = "what the write displaced"
            let content = SealedFile.read(place, in: control, limit: limit)
            return .kept(try RejectedContent.keep(place, content, of: name, in: control, limit: limit))
        } catch {
            let advice = "\(left) is \(ControlDirectory.name)/\(place)"
            return .left(failure(error, "put back what the write displaced", advice: advice))
        }
    }

    /// False where somebody has saved over what was written: that stays, or comes back. `left` tells what bears the name
    /// in the control directory where this fails.
    private func regainsName(_ left: inout String) throws(Errno) -> Bool {
        do throws(Errno) {
            try control.rename(place, to: name, in: directory, .exchange)
            if !isForeign(place, in: control) { return true }
            left = "what was saved meanwhile"
            try control.rename(place, to: name, in: directory, .exchange)
            return false
        } catch .noEntry {
            // Somebody has taken the value away.
            do throws(Errno) {
                try control.rename(place, to: name, in: directory, .noReplace)
                return true
            } catch .exists {
                return false
            }
        } catch  where error.isUnknownFlag {
            // Here nothing tells what is replaced: a look just before has to do.
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

    /// Whether anything but what was written bears the name, as far as can be told.
    private func isForeign(_ name: String, in place: Directory) -> Bool {
        do throws(Errno) {
            return try place.status(of: name).identity != made
        } catch {
            return error != .noEntry
        }
    }

    private func failure(_ error: Errno, _ action: String, advice: String? = nil) -> GroupFileError {
        GroupFileError(error, path: path, action, advice: advice)
    }
}
