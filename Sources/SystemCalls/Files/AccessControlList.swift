import CSystemCalls

/// An access control list in the kernel's format: acl(5). If a file has one, the group bits of its permissions are only
/// the most that the list grants to anybody but the owner and others.
package struct AccessControlList: Hashable, Sendable {
    /// By the names of their attributes.
    package enum Kind: String, Sendable {
        case own = "system.posix_acl_access"
        /// A directory's default, for what is created in it.
        case given = "system.posix_acl_default"
    }

    private(set) var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// These permissions as a list, for owner, group and others. A file that is given this list has no list afterwards.
    package init(permissions: UInt32) {
        bytes = [2, 0, 0, 0]
        for (tag, shift) in [(0x01, 6), (0x04, 3), (0x20, 0)] as [(UInt8, UInt32)] {
            bytes += [tag, 0, UInt8(permissions >> shift & 7), 0, 255, 255, 255, 255]
        }
    }

    /// lgetxattr(2), of a file's own list. Nil if it has none, or if its file system supports none.
    package init?(of path: String) throws(Errno) {
        // Most files have none, which one call finds out.
        let size = try Self.call(.lgetxattr, path) { unsafe cs_lgetxattr(path, Kind.own.rawValue, nil, 0) }
        if size == 0 { return nil }
        // The list may grow meanwhile.
        var bytes = [UInt8](repeating: 0, count: size + 4096)
        let count = try Self.call(.lgetxattr, path) {
            unsafe bytes.withUnsafeMutableBytes {
                unsafe cs_lgetxattr(path, Kind.own.rawValue, $0.baseAddress, $0.count)
            }
        }
        if count == 0 { return nil }
        self.bytes = Array(bytes.prefix(count))
    }

    /// fgetxattr(2): whether a directory gives a list to what is created in it. True also if that cannot be determined.
    static func isGiven(in directory: borrowing FileDescriptor) -> Bool {
        let raw = directory.rawValue
        do throws(Errno) {
            return try call(.fgetxattr, "\(raw)") { unsafe cs_fgetxattr(raw, Kind.given.rawValue, nil, 0) } > 0
        } catch {
            return true
        }
    }

    /// Zero if there is none.
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
    /// Whether the file system has no attributes, or none for us.
    fileprivate var isOfNoAttributes: Bool { self == .notSupported || self == .noSystemCall }
}

extension FileDescriptor {
    /// fsetxattr(2); a file's own list sets its permissions, too. With nil, removes the list, if there is one:
    /// fremovexattr(2).
    package borrowing func setAccessControlList(
        _ list: AccessControlList?, _ kind: AccessControlList.Kind
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
