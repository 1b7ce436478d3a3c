import Glibc

/// A descriptor that is open for as long as something is observed. Many programs close all descriptors that they do not
/// know, for example when they become daemons: then the number may belong to one of the program's own files, which is
/// not ours to close.
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

    /// fstat(2); nil if it is not open. Tests cannot make it fail: our descriptor would then stay open.
    private static func identity(of rawValue: Int32) -> FileIdentity? {
        var raw = stat()
        return unsafe fstat(rawValue, &raw) == 0 ? FileStatus(raw).identity : nil
    }
}
