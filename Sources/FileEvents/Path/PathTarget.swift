package import SystemCalls

/// What a path leads to now. No descriptor is kept: an open directory could not be unmounted, and its removal would not be
/// told.
package struct PathTarget: Equatable, Sendable {
    /// Which directory it is.
    package let identity: FileIdentity
    /// Where it is, without symbolic links.
    package let path: String
    /// The last component, once its links were followed; nil where the path is a directory's.
    package let leaf: String?
    /// Whether the last link is one of a process, to what it has open. As soon as that is replaced, the link leads to what
    /// was there before: so it may be read, and not be replaced.
    package var isOpenFile = false

    /// Byte by byte, as the file system compares names: a link may come to lead from one spelling of é to the other.
    package static func == (left: PathTarget, right: PathTarget) -> Bool {
        left.identity == right.identity && left.path.utf8.elementsEqual(right.path.utf8)
            && (left.leaf ?? "").utf8.elementsEqual((right.leaf ?? "").utf8) && left.isOpenFile == right.isOpenFile
    }

    /// Whether `path`, and the `leaf` in it, lead here still, and this is where it was: what a path leads to through a
    /// link may have been moved, and the link after it. Where the leaf is a link, or a file that is mounted by itself,
    /// there is no telling, and the answer is no. Takes one to four calls, and a walk several for each component.
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

    /// Whether nothing is there, or what events in its directory tell of.
    private static func isPlain(_ path: String) throws(Errno) -> Bool {
        do throws(Errno) {
            if try Path.linkStatus(of: path).kind == .symbolicLink { return false }
            return try !Path.isMountPoint(path)
        } catch .noEntry {
            return true
        }
    }

    /// Whether a target's path is by a link of a process that only the kernel can follow. The process may go elsewhere, or
    /// end, and nothing tells.
    package static func isFleeting(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(".".utf8) }
    }
}
