import SystemCalls

/// Reads a place where a regular file should be. Whatever else may be there can neither block the reader nor redirect
/// it.
enum RegularFile {
    /// With these, nothing in the value's place can block the reader, or redirect it.
    private static let openFlags: OpenFlags = [.readOnly, .nonBlocking, .noFollow, .noTerminal]
    /// The same for calls on a ``Directory``, which adds the rest.
    private static let belowFlags: OpenFlags = [.readOnly, .nonBlocking]

    /// Reads what is at the path. A file that is still what was `written`, unchanged, is only looked at.
    static func read(
        _ path: String, limit: Int, unless written: WrittenFile? = nil
    ) -> (content: Content, fingerprint: Fingerprint?) {
        let found = read(limit: limit, unless: written) { () throws(Errno) in
            try FileDescriptor.open(path, openFlags)
        } look: { () throws(Errno) in
            try Path.linkStatus(of: path)
        }
        guard case .unreadable(.failed(let error)) = found.content else { return found }
        return (.unreadable(Content.Obstacle(error, at: path)), found.fingerprint)
    }

    /// The same for a name in a directory.
    static func read(
        _ name: String, in directory: Directory, limit: Int, unless written: WrittenFile? = nil
    ) -> (content: Content, fingerprint: Fingerprint?) {
        read(limit: limit, unless: written) { () throws(Errno) in
            try directory.open(name, belowFlags)
        } look: { () throws(Errno) in
            try directory.status(of: name)
        }
    }

    /// `look` comes first, so that only a regular file is opened: opening a FIFO would release its waiting writer,
    /// which then writes to nobody, and opening a device may have any effect. If one appears after the look, it is
    /// opened, but can neither block nor redirect the reader.
    private static func read(
        limit: Int, unless written: WrittenFile?, open: () throws(Errno) -> FileDescriptor,
        look: () throws(Errno) -> FileStatus
    ) -> (content: Content, fingerprint: Fingerprint?) {
        do throws(Errno) {
            let status = try look()
            if let obstacle = obstacle(status, limit) { return (.unreadable(obstacle), status.fingerprint) }
            if let written, written.isUnchanged(status) { return (written.content, status.fingerprint) }
            let file: FileDescriptor
            do throws(Errno) { file = try open() } catch .noDeviceOrAddress {
                // A socket appeared in between, or the node of a device that does not exist.
                let kind = try look().kind
                return (.unreadable(kind == .regular ? .failed(.noDeviceOrAddress) : .notRegular(kind)), nil)
            }
            return try read(file, limit: limit, lookedAt: status)
        } catch .noEntry {
            return (.missing, nil)
        } catch .tooManyLinks {
            return (.unreadable(.notRegular(.symbolicLink)), nil)
        } catch {
            return (.unreadable(.failed(error)), nil)
        }
    }

    /// The open file may not be the one that was `lookedAt`, or somebody may have begun to write it since. If the look
    /// shows a recent change, the file counts as being written anyway; otherwise the status of the open file is
    /// compared, and a file that has changed is read again.
    ///
    /// The fingerprint is never newer than the content, so if the file has changed since, it proves nothing.
    private static func read(
        _ file: borrowing FileDescriptor, limit: Int, lookedAt looked: FileStatus
    ) throws(Errno) -> (content: Content, fingerprint: Fingerprint?) {
        var first: [UInt8]?
        do throws(Errno) {
            first = try file.readToEnd(expected: looked.size, limit: limit)
        } catch  where error.isOfNoFile {}
        if let first, first.count == looked.size, looked.fingerprint.isRecent {
            return (.bytes(first), looked.fingerprint)
        }
        let status = try file.status()
        if let obstacle = obstacle(status, limit) { return (.unreadable(obstacle), status.fingerprint) }
        let bytes: [UInt8]
        if let first, status.fingerprint == looked.fingerprint {
            bytes = first
        } else {
            // On some file systems files cannot be read at an offset.
            bytes = try file.readToEnd(expected: status.size, limit: limit, hasPlaces: first != nil)
        }
        return (bytes.count > limit ? .unreadable(.tooLarge(bytes.count)) : .bytes(bytes), status.fingerprint)
    }

    private static func obstacle(_ status: FileStatus, _ limit: Int) -> Content.Obstacle? {
        if status.kind != .regular { return .notRegular(status.kind) }
        return status.size > limit ? .tooLarge(status.size) : nil
    }

    /// Whether a regular file holds these bytes and no more. A file that cannot be read, or is empty, does not.
    ///
    /// Whether the file is regular is not checked: FIFOs and sockets cannot be read at an offset, and whatever else
    /// reads as empty is treated like an empty file.
    static func holds(_ bytes: [UInt8], _ name: String, in directory: Directory) -> Bool {
        if bytes.isEmpty { return false }
        do throws(Errno) {
            let file = try directory.open(name, belowFlags)
            return try file.readStart(bytes.count + 1) == bytes
        } catch {
            return false
        }
    }
}
