import SystemCalls

/// What went wrong with a value or its container: what, where, why, and what to do about it.
public struct GroupFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; more kinds may be added.
    public enum Code: String, Hashable, Sendable {
        /// The name or identifier is not valid.
        case invalidName
        /// None of GROUP_CONTAINERS, XDG_DATA_HOME and HOME says where containers are.
        case noContainers
        /// An attempt to change a value that was opened with `access: .readOnly`.
        case readOnly
        /// The codec cannot decode the content, which is left alone.
        case undecodable
        /// The value cannot be encoded; nothing was written.
        case unencodable
        /// More bytes than `maximumSize`.
        case tooLarge
        /// A directory, FIFO, device, socket or symbolic link is in the value's place; it is left alone.
        case notRegularFile
        /// The kernel denied permission.
        case permissionDenied
        /// The disk is full, or the quota reached; the old value stays.
        case noSpace
        /// Any other failure of a system call; `errno` says which.
        case system
        /// The change, which may be a removal, is published, but might not survive a power cut. Or, if the message says
        /// so, the old file lost permissions just then, and they could not be taken from the new one; or content that
        /// the change displaced could neither be kept nor put back.
        case notDurable
        /// Timed out: the lock could not be acquired, or no value met the condition.
        case timedOut
        /// An update, write or remove within an update of the same value, or within its codec while the lock is held.
        case nested
        /// This process was forked from one that used the library, and has not called exec. Every call that throws may
        /// throw this; the others must not be made then.
        case forked
        /// The directory, or the lock in it, was replaced or removed again and again during the change.
        case directoryKeepsChanging
    }

    /// The kind of failure.
    public var code: Code { facts.code }
    /// The file or directory concerned.
    public var path: String? { facts.path }
    /// errno(3) of the system call that failed.
    public var errno: Int32? { facts.errno }
    /// Where in the value decoding or encoding failed, as in `users[3].name`.
    public var codingPath: String? { facts.codingPath }
    /// The line in the file, from 1.
    public var line: Int? { facts.line }
    /// The column in that line, from 1, in Unicode scalars.
    public var column: Int? { facts.column }
    /// A sentence that says what happened and what to do.
    public var message: String { facts.callerAdvice.map { "\(facts.event): \($0)" } ?? facts.event }
    /// What happened, and what to do about it, except for advice that only callers of the library can follow.
    package var event: String { facts.event }

    private struct Facts: Hashable, Sendable {
        let code: Code
        let path: String?
        let errno: Int32?
        let codingPath: String?
        let line: Int?
        let column: Int?
        /// What happened; for a system call, followed by what to do.
        let event: String
        /// Advice that only callers of the library can follow.
        let callerAdvice: String?
    }

    private final class Box: Hashable, Sendable {
        let facts: Facts

        init(_ facts: Facts) {
            self.facts = facts
        }

        static func == (left: Box, right: Box) -> Bool { left.facts == right.facts }

        func hash(into hasher: inout Hasher) {
            hasher.combine(facts)
        }
    }

    /// Boxed, so that the error is one pointer wide.
    private let box: Box
    private var facts: Facts { box.facts }

    /// For codecs and test doubles of your own.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - path: The file or directory concerned. A codec leaves it out: whoever uses the codec knows the file.
    ///   - codingPath: Where in the value decoding or encoding failed, as in `users[3].name`.
    ///   - line: The line in the file, from 1.
    ///   - column: The column in that line, from 1, in Unicode scalars.
    ///   - message: A sentence that says what happened and what to do.
    public init(
        _ code: Code, path: String? = nil, codingPath: String? = nil, line: Int? = nil, column: Int? = nil,
        message: String
    ) {
        self.init(code, path: path, errno: nil, codingPath: codingPath, line: line, column: column, message)
    }

    package init(
        _ code: Code, path: String? = nil, errno: Int32? = nil, codingPath: String? = nil, line: Int? = nil,
        column: Int? = nil, _ event: String, callerAdvice: String? = nil
    ) {
        box = Box(
            Facts(
                code: code, path: path, errno: errno, codingPath: codingPath, line: line, column: column,
                event: event, callerAdvice: callerAdvice))
    }

    /// In one line, whatever names and keys it contains: `/path/to/file:7:12: what happened and what to do`.
    public var description: String {
        var text = ""
        if let path { text += path }
        if let line { text += (text.isEmpty ? "" : ":") + "\(line):\(column ?? 1)" }
        if !text.isEmpty { text += ": " }
        text += message
        if let codingPath { text += " (at \(codingPath))" }
        return text.oneLine
    }
}

extension GroupFileError {
    /// The error of a system call on `path`; `action` completes "cannot …". The advice follows from the error, unless
    /// there is `other` advice. `changes` means that the call was to change a value, and that the value is unchanged.
    init(_ error: Errno, path: String?, _ action: String, changes: Bool = true, advice other: String? = nil) {
        let (code, specific): (Code, String?) =
            switch error {
            case .accessDenied: (.permissionDenied, "check who owns it and its directory, and their permissions")
            case .notPermitted:
                (
                    .permissionDenied,
                    "check who owns it and its directory, which may be sticky, and the attributes of both and of "
                        + "\(ControlDirectory.name) (lsattr -d)"
                )
            case .readOnlyFileSystem: (.permissionDenied, "the file system is mounted read-only")
            case .noSpace, .quotaExceeded: (.noSpace, nil)
            case .inputOutput: (.system, "the disk or its driver has failed (see dmesg)")
            case .notDirectory: (.system, "a part of the path is not a directory")
            case .busy: (.system, "it may be a mount of a single file: change the original file")
            case .crossDevice:
                (
                    .system,
                    "\(ControlDirectory.name) may be mounted by itself; or a sandbox of the program (Landlock) has to allow "
                        + "renaming between directories (REFER)"
                )
            case .tooManyLinks: (.system, "correct the symbolic links in the path")
            case .illegalByteSequence: (.system, "rename it, or use another path")
            case .nameTooLong: (.system, "shorten it, or the path of its directory")
            case .notSupported, .noSystemCall, .noLocks:
                (.system, "its file system cannot do that: put the container on another one")
            case .noEntry: (.system, "it does not exist; create its directory first")
            default: (.system, nil)
            }
        let advice = other.map { [$0] } ?? [specific ?? error.remedy, changes ? "the value is unchanged" : nil]
        let parts = ["cannot \(action): \(error)"] + advice.compactMap(\.self)
        self.init(code, path: path, errno: error.rawValue, parts.joined(separator: "; "))
    }

    /// Every call that can throw calls this before it takes a lock or a thread. The first call starts watching for
    /// forks.
    static func refuseForked() throws(GroupFileError) {
        CurrentProcess.watchForFork()
        guard CurrentProcess.isForked else { return }
        throw GroupFileError(
            .forked, "this process was forked and has not called exec: open the value in the parent, or exec first")
    }
}
