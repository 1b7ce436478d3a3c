import CSystemCalls
import Glibc

/// Calls on whole paths.
package enum Path {
    /// fstatat(2), through symbolic links.
    package static func status(of path: String) throws(Errno) -> FileStatus {
        try FileStatus.of(path, in: AT_FDCWD, followsLink: true)
    }

    /// fstatat(2), of a symbolic link itself.
    package static func linkStatus(of path: String) throws(Errno) -> FileStatus {
        try FileStatus.of(path, in: AT_FDCWD, followsLink: false)
    }

    /// Whether the path leads to a regular file, through symbolic links, too. False if that cannot be determined.
    package static func isRegularFile(_ path: String) -> Bool {
        do throws(Errno) { return try status(of: path).kind == .regular } catch { return false }
    }

    /// access(2): whether names can be made in a directory; EACCES where they cannot.
    package static func checkMayWrite(in directory: String) throws(Errno) {
        try perform(.access, directory) { unsafe access(directory, W_OK | X_OK) }
    }

    /// The same, as a Boolean.
    package static func mayWrite(in directory: String) throws(Errno) -> Bool {
        do throws(Errno) {
            try checkMayWrite(in: directory)
            return true
        } catch .accessDenied {
            return false
        }
    }

    /// access(2): whether names in a directory can be listed, and followed. False if that cannot be determined.
    package static func mayLook(in directory: String) -> Bool {
        do throws(Errno) {
            try perform(.access, directory) { unsafe access(directory, R_OK | X_OK) }
            return true
        } catch {
            return false
        }
    }

    /// statx(2): whether something is mounted at this very path. False if the kernel does not report it.
    package static func isMountPoint(_ path: String) throws(Errno) -> Bool {
        try perform(.statx, path) { unsafe cs_is_mount_point(path) } == 1
    }

    /// statx(2): whether both lead to the same file in the same mount. False if the second leads nowhere, or may not be
    /// followed.
    package static func isSamePlace(_ one: String, _ other: String) throws(Errno) -> Bool {
        let answer: Int32
        do throws(Errno) {
            answer = try perform(.statx, one) { unsafe cs_is_same_place(one, other) }
        } catch {
            _ = try status(of: one)
            return false
        }
        return try answer == 2 ? isSameMount(one, other) : answer == 1
    }

    /// The same for kernels whose statx(2) does not report mounts: by /proc, and true if that is not mounted.
    package static func isSameMount(_ one: String, _ other: String) throws(Errno) -> Bool {
        let first = try FileDescriptor.open(one, .pathOnly)
        let second = try FileDescriptor.open(other, .pathOnly)
        do throws(Errno) {
            return try ProcessTable.mount(of: first) == ProcessTable.mount(of: second)
        } catch .noEntry {
            return true
        }
    }

    /// Whether a directory is on /proc: what its links lead to is up to the kernel, which reports no change of it.
    package static func isOfProcesses(_ directory: String) throws(Errno) -> Bool {
        let processes: Int64 = 0x9FA0
        return try fileSystemType(of: directory) == processes
    }

    /// statfs(2): f_type.
    package static func fileSystemType(of path: String) throws(Errno) -> Int64 {
        var type: Int64 = -1
        try perform(.statfs, path) {
            type = unsafe cs_statfs_type(path)
            return type < 0 ? -1 : 0
        }
        return type
    }

    /// readlinkat(2); EILSEQ where it is not UTF-8.
    package static func linkTarget(of path: String) throws(Errno) -> String {
        guard let target = String(validating: try linkBytes(of: path), as: UTF8.self) else {
            throw .illegalByteSequence
        }
        return target
    }

    /// readlinkat(2), byte for byte.
    static func linkBytes(of path: String) throws(Errno) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        var span = bytes.mutableSpan
        let count = try unsafe span.withUnsafeMutableBytes { buffer throws(Errno) in
            guard let start = buffer.baseAddress else { return 0 }
            return try perform(.readlinkat, bytes: buffer.count, path) {
                unsafe readlinkat(AT_FDCWD, path, start.assumingMemoryBound(to: CChar.self), $0)
            }
        }
        return bytes.prefix(count)
    }

    /// Whether both are on one file system, by stat(2).
    package static func isSameFileSystem(_ one: String, _ other: String) throws(Errno) -> Bool {
        try status(of: one).identity.device == status(of: other).identity.device
    }

    /// An absolute path without `.`, empty components and final slashes; `..` stays, because a link may precede it.
    package static func absolute(_ path: String) throws(Errno) -> String {
        var components = components(path)
        if !isAbsolute(path) { components = Self.components(try currentDirectory()) + components }
        // By hand: the library's `joined` is not specialized for these, and has to look for their conformances first.
        var absolute = components.isEmpty ? "/" : ""
        for component in components {
            absolute += "/"
            absolute += String(component)
        }
        return absolute
    }

    /// getcwd(3); EILSEQ where it is not UTF-8, EXDEV where the path does not lead there: something was mounted over
    /// it, or it is in another mount namespace. If the path may not be followed, that cannot be checked.
    private static func currentDirectory() throws(Errno) -> String {
        var last = ""
        while true {
            let path = try textOfCurrentDirectory()
            if try isSamePlace(".", path) || isClosed(path) { return path }
            // It may just have been moved: only the same path twice is an error.
            if ExactName(path) == ExactName(last) { throw .crossDevice }
            last = path
        }
    }

    /// Whether the path cannot be followed from outside, because a directory above is closed to this process.
    package static func isClosed(_ path: String) -> Bool {
        do throws(Errno) {
            _ = try status(of: path)
            return false
        } catch {
            return error == .accessDenied
        }
    }

    private static func textOfCurrentDirectory() throws(Errno) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let found = unsafe bytes.withUnsafeMutableBufferPointer { unsafe getcwd($0.baseAddress, $0.count) != nil }
        if !found { throw .current }
        let path = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        guard let path = String(validating: path, as: UTF8.self) else { throw .illegalByteSequence }
        return path
    }
}
