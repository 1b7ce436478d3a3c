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

    /// Whether a target's path is by a link of a process that only the kernel can follow. The process may go elsewhere, or
    /// end, and nothing tells.
    package static func isFleeting(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual(".".utf8) }
    }
}
