import Synchronization
import SystemCalls

/// A value in a directory: one regular file, never a symbolic link.
final class DirectoryFile: StoredFile {
    let name: String
    private let directory: DirectoryCore
    /// Made for the first change: most values are only looked at.
    private let madeNames = Guarded<TemporaryNames?>(nil)
    /// As they were put together last.
    private let paths = Guarded((directory: "", file: ""))
    /// Whether it was not there when it was looked for last. Changed under the core's lock.
    private let isMissing = Atomic(false)

    init(_ name: String, in directory: DirectoryCore) {
        self.directory = directory
        self.name = name
    }

    deinit {
        if isMissing.load(ordering: .relaxed), !CurrentProcess.isForked {
            directory.missing.remove(ObjectIdentifier(self))
        }
    }

    private var temporaryNames: TemporaryNames {
        madeNames.withLock { names in
            if let names { return names }
            let new = TemporaryNames(for: name)
            names = new
            return new
        }
    }

    var path: String {
        let directory = directory.path
        return paths.withLock { paths in
            // To the file system two spellings of é are two names.
            if ExactName(paths.directory) != ExactName(directory) { paths = (directory, directory + "/" + name) }
            return paths.file
        }
    }

    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) {
        var found = Self.read(path, limit: limit)
        // To be told first, then to look: what is made in between is found.
        if case .missing = found.content, awaitName() { found = Self.read(path, limit: limit) }
        if isMissing.load(ordering: .relaxed), found.content.isThere {
            isMissing.store(false, ordering: .relaxed)
            directory.missing.remove(ObjectIdentifier(self))
        }
        return found
    }

    func nameIsGone() {
        _ = awaitName()
    }

    func checkPlace() {
        directory.missing.followElsewhere()
    }

    /// True where it has to be looked for again.
    private func awaitName() -> Bool {
        isMissing.store(true, ordering: .relaxed)
        return directory.missing.insert(ObjectIdentifier(self))
    }

    func fingerprint() -> Fingerprint? {
        do throws(Errno) {
            return try Path.linkStatus(of: path).fingerprint
        } catch {
            return nil
        }
    }

    func lock(
        _ request: LockRequest, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock {
        for _ in 0..<Self.mostLocks {
            let lock = try directory.lock(of: name, isBounded: request.isBounded, sharing: request.sharing)
            switch try acquire(lock, request, isWorthless) {
            case .held(let held):
                return held
            case .timedOut:
                directory.keepAwaited(lock)
                throw .lockTimedOut(path, request.timeout ?? .zero, holder: lock.holder, next: lock.nextHolder)
            case .stale:
                lock.unlock()
                directory.closeLocks()
            }
        }
        throw .exchangedJustNow(path)
    }

    /// So many are opened in turn because the one before was stale; then the path is followed, and the change begun anew.
    private static let mostLocks = 4

    private enum Acquired {
        case held(DirectoryFileLock)
        case timedOut
        /// Somebody has removed or exchanged its file: it locks nothing any more.
        case stale
    }

    private func acquire(
        _ lock: ValueLock, _ request: LockRequest, _ isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> Acquired {
        do throws(Errno) {
            guard try lock.acquire(timeout: request.remaining, call: request.call) else { return .timedOut }
            let temporaryName = temporaryNames.take()
            let isCurrent = try lock.isCurrent(
                in: request.container ?? directory.path, temporaryName: temporaryName.text
            ) { left throws(Errno) in
                try RejectedContent.sweep(
                    left, of: name, in: lock.control, limit: request.limit, isWorthless: isWorthless)
            }
            if !isCurrent { return .stale }
            return .held(
                DirectoryFileLock(lock, of: directory, temporaryName: temporaryName, sharing: request.sharing))
        } catch .noEntry {
            return .stale  // With the control directory.
        } catch {
            throw directory.lockFailure(error, name)
        }
    }

    /// What is in a value's place; throws where it is anything but a regular file or nothing. `path` is for errors.
    static func statusOfRegular(
        _ name: String, in directory: Directory, path: @autoclosure () -> String
    ) throws(GroupFileError) -> FileStatus? {
        let status: FileStatus
        do throws(Errno) {
            status = try directory.status(of: name)
        } catch .noEntry {
            return nil
        } catch {
            throw GroupFileError(error, path: path(), "look at the value")
        }
        if status.kind != .regular { throw .notRegular(path(), status.kind) }
        return status
    }

    /// Whether a regular file holds these bytes and no more. What cannot be read, or is empty, does not.
    ///
    /// It is not asked whether the file is regular: FIFOs and sockets cannot be read at an offset, and what else is empty
    /// is not told from an empty file.
    static func holds(_ bytes: [UInt8], _ name: String, in directory: Directory) -> Bool {
        if bytes.isEmpty { return false }
        do throws(Errno) {
            let file = try directory.open(name, belowFlags)
            return try file.readStart(bytes.count + 1) == bytes
        } catch {
            return false
        }
    }

    /// Nothing in the value's place can block the reader, or redirect him.
    private static let openFlags: OpenFlags = [.readOnly, .nonBlocking, .noFollow, .noTerminal]
    /// The same for calls on a ``Directory``, which see to the rest.
    private static let belowFlags: OpenFlags = [.readOnly, .nonBlocking]

    static func read(_ path: String, limit: Int) -> (content: Content, fingerprint: Fingerprint?) {
        read(limit: limit) { () throws(Errno) in
            try FileDescriptor.open(path, openFlags)
        } look: { () throws(Errno) in
            try Path.linkStatus(of: path)
        }
    }

    static func read(
        _ name: String, in directory: Directory, limit: Int
    ) -> (content: Content, fingerprint: Fingerprint?) {
        read(limit: limit) { () throws(Errno) in
            try directory.open(name, belowFlags)
        } look: { () throws(Errno) in
            try directory.status(of: name)
        }
    }

    /// `look` comes first: what is no file is not opened. A FIFO would let its waiting writer go, who then writes to nobody,
    /// and a device may do anything. One that comes in between is opened, so that it neither blocks nor redirects the reader.
    private static func read(
        limit: Int, open: () throws(Errno) -> FileDescriptor, look: () throws(Errno) -> FileStatus
    ) -> (content: Content, fingerprint: Fingerprint?) {
        do throws(Errno) {
            let status = try look()
            if let obstacle = obstacle(status, limit) { return (.unreadable(obstacle), status.fingerprint) }
            let file: FileDescriptor
            do throws(Errno) { file = try open() } catch .noDeviceOrAddress {
                // A socket came in between, or a device that is none.
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

    /// What was opened may be another file than was `lookedAt`, or somebody may have begun to write it since. Where the look
    /// says that it was changed just now that is taken for being written in any case; else the file itself is asked, and what
    /// is not as it was is read again.
    ///
    /// The fingerprint is at least as old as the content, so that of what has changed since it proves nothing.
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
            // Some file systems have no places in their files.
            bytes = try file.readToEnd(expected: status.size, limit: limit, hasPlaces: first != nil)
        }
        return (bytes.count > limit ? .unreadable(.tooLarge(bytes.count)) : .bytes(bytes), status.fingerprint)
    }

    private static func obstacle(_ status: FileStatus, _ limit: Int) -> Content.Obstacle? {
        if status.kind != .regular { return .notRegular(status.kind) }
        return status.size > limit ? .tooLarge(status.size) : nil
    }
}

extension Fingerprint {
    /// Whether the file says that it was changed less than the settle time ago.
    fileprivate var isRecent: Bool { age.map { $0 < SettleTime.nanoseconds } ?? false }
}
