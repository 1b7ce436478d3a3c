package import SystemCalls

/// What a path leads to now. No descriptor is kept: an open directory could not be unmounted, and its removal would not
/// be reported.
package struct PathTarget: Equatable, Sendable {
    /// Which directory it is.
    package let identity: FileIdentity
    /// Where it is, without symbolic links.
    package let path: String
    /// The last component, once its links were followed; nil where the path is a directory's.
    package let leaf: String?
    /// Whether the last link is a process's link to a file that it has open. Once that file is replaced at its path,
    /// the link still leads to the old one: so the file may be read, but not replaced.
    package var isOpenFile = false

    /// Byte by byte, as the file system compares names: a link may be changed from one spelling of é to the other.
    package static func == (left: PathTarget, right: PathTarget) -> Bool {
        left.identity == right.identity && left.path.utf8.elementsEqual(right.path.utf8)
            && (left.leaf ?? "").utf8.elementsEqual((right.leaf ?? "").utf8) && left.isOpenFile == right.isOpenFile
    }

    /// Whether `path`, and the `leaf` in it, still lead here, and this is still where it was: the target of a link may
    /// have been moved, and the link changed to match. If the leaf is a link, or a file that is mounted by itself, that
    /// cannot be determined, and this is false. Takes one to four calls; a walk takes several for each component.
    func isCurrent(at path: String, leaf: String?) -> Bool {
        do throws(Errno) {
            if try Path.status(of: path).identity != identity { return false }
            // To the file system two spellings of é are two names.
            if ExactName(path) != ExactName(self.path), try Path.status(of: self.path).identity != identity {
                return false
            }
            guard let leaf else { return self.leaf == nil }
            guard let name = self.leaf, ExactName(name) == ExactName(leaf), !isOpenFile else { return false }
            return try Self.isPlain(path + "/" + leaf)
        } catch {
            return false
        }
    }

    /// Whether nothing is there, or something whose changes its directory reports.
    private static func isPlain(_ path: String) throws(Errno) -> Bool {
        do throws(Errno) {
            if try Path.linkStatus(of: path).kind == .symbolicLink { return false }
            return try !Path.isMountPoint(path)
        } catch .noEntry {
            return true
        }
    }

    /// Whether a target's path goes through a process's link that only the kernel can follow. The process may move on,
    /// or end, without an event.
    package static func isFleeting(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(".".utf8) }
    }
}
