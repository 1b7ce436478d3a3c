import Synchronization
import SystemCalls

/// A value in a directory: one regular file, never a symbolic link.
///
/// 1. It is *read*; while it is missing, its name is *awaited*.
/// 2. For a change it is *locked*: a lock is *acquired* and *checked*, and what a killed writer left is *swept*.
/// 3. A lock that has become stale is *closed*, and another one opened.
final class DirectoryFile: StoredFile {
    let name: String
    private let directory: DirectoryCore
    /// Made for the first change: most values are only read.
    private let madeNames = Guarded<TemporaryNames?>(nil)
    /// As they were built last.
    private let paths = Guarded((directory: "", file: ""))
    /// Whether the file was missing when it was last looked for. Changed under the core's lock.
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
        // Watch for the name first, then look again: a file that is created in between is found.
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

    /// True if the file has to be looked for again.
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

    /// How many locks are opened one after the other because the one before was stale; after that the path is resolved
    /// again, and the change starts over.
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
            return .stale  // Removed with the control directory.
        } catch {
            throw directory.lockFailure(error, name)
        }
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

    /// With these, nothing in the value's place can block the reader, or redirect it.
    private static let openFlags: OpenFlags = [.readOnly, .nonBlocking, .noFollow, .noTerminal]
    /// The same for calls on a ``Directory``, which adds the rest.
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

    /// `look` comes first, so that only a regular file is opened: opening a FIFO would release its waiting writer,
    /// which then writes to nobody, and opening a device may have any effect. One that appears in between is opened,
    /// but can neither block nor redirect the reader.
    private static func read(
        limit: Int, open: () throws(Errno) -> FileDescriptor, look: () throws(Errno) -> FileStatus
    ) -> (content: Content, fingerprint: Fingerprint?) {
        do throws(Errno) {
            let status = try look()
            if let obstacle = obstacle(status, limit) { return (.unreadable(obstacle), status.fingerprint) }
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
}

extension Fingerprint {
    /// Whether the file says that it was changed less than the settle time ago.
    fileprivate var isRecent: Bool { age.map { $0 < SettleTime.nanoseconds } ?? false }
}
