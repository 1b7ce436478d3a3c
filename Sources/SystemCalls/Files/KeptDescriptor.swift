import Glibc

/// A descriptor that is open for as long as something is observed. Many programs close all that they do not know, as when
/// they become daemons: then its number may be that of a file of theirs, which is not ours to close.
struct KeptDescriptor: ~Copyable, Sendable {
    let rawValue: Int32
    /// Descriptors without a file have one in common.
    private let identity: FileIdentity?

    /// Takes over a descriptor that nobody else closes.
    init(owning rawValue: Int32) {
        self.rawValue = rawValue
        identity = Self.identity(of: rawValue)
    }

    deinit {
        if Self.identity(of: rawValue) == identity { _ = FileDescriptor(owning: rawValue) }
    }

    /// fstat(2); nil if it is not open. Tests do not make it fail: then what is ours would stay open.
    private static func identity(of rawValue: Int32) -> FileIdentity? {
        var raw = stat()
        return unsafe fstat(rawValue, &raw) == 0 ? FileStatus(raw).identity : nil
    }
}
