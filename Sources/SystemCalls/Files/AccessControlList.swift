import CSystemCalls

/// An access control list, as the kernel has it: acl(5). Where a file has one, the group's bits among its permissions are
/// only the most that it gives to anybody but the owner and the others.
package struct AccessControlList: Hashable, Sendable {
    /// By the names of their attributes.
    package enum Kind: String, Sendable {
        case own = "system.posix_acl_access"
        /// A directory's, for what is made in it.
        case given = "system.posix_acl_default"
    }

    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// lgetxattr(2), of a file's own. Nil where it has none, or its file system has none.
    package init?(of path: String) throws(Errno) {
        // Most have none, which takes one call.
        let size = try Self.call(.lgetxattr, path) { unsafe cs_lgetxattr(path, Kind.own.rawValue, nil, 0) }
        if size == 0 { return nil }
        // It may grow meanwhile.
        var bytes = [UInt8](repeating: 0, count: size + 4096)
        let count = try Self.call(.lgetxattr, path) {
            unsafe bytes.withUnsafeMutableBytes {
                unsafe cs_lgetxattr(path, Kind.own.rawValue, $0.baseAddress, $0.count)
            }
        }
        if count == 0 { return nil }
        self.bytes = Array(bytes.prefix(count))
    }

    /// fgetxattr(2): whether a directory gives one to what is made in it; also where that cannot be told.
    static func isGiven(in directory: borrowing FileDescriptor) -> Bool {
        let raw = directory.rawValue
        do throws(Errno) {
            return try call(.fgetxattr, "\(raw)") { unsafe cs_fgetxattr(raw, Kind.given.rawValue, nil, 0) } > 0
        } catch {
            return true
        }
    }

    /// Zero where there is none.
    private static func call(_ call: SystemCall, _ detail: String, _ body: () -> Int) throws(Errno) -> Int {
        var size = 0
        do throws(Errno) {
            try perform(call, detail) {
                size = body()
                return size < 0 ? -1 : 0
            }
            return size
        } catch  where error == .noData || error.isOfNoAttributes {
            return 0
        }
    }
}

extension Errno {
    /// Whether there are none on the file system, or for us.
    fileprivate var isOfNoAttributes: Bool { self == .notSupported || self == .noSystemCall }
}

extension FileDescriptor {
    /// fsetxattr(2): a file's permissions become those of its own. Nil: fremovexattr(2), where there is one.
    package borrowing func setAccessControlList(
        _ list: AccessControlList?, _ kind: AccessControlList.Kind = .own
    ) throws(Errno) {
        let descriptor = rawValue
        guard let list else {
            do throws(Errno) {
                try perform(.fremovexattr, "\(descriptor)") { unsafe cs_fremovexattr(descriptor, kind.rawValue) }
            } catch  where error == .noData || error.isOfNoAttributes {}
            return
        }
        try perform(.fsetxattr, "\(descriptor)") {
            unsafe list.bytes.withUnsafeBytes {
                unsafe cs_fsetxattr(descriptor, kind.rawValue, $0.baseAddress, $0.count)
            }
        }
    }
}
