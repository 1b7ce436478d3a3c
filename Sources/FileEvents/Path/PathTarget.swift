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

    /// Byte by byte, as the file system compares names: a link may come to lead from one spelling of é to the other.
    package static func == (left: PathTarget, right: PathTarget) -> Bool {
        left.identity == right.identity && left.path.utf8.elementsEqual(right.path.utf8)
            && (left.leaf ?? "").utf8.elementsEqual((right.leaf ?? "").utf8)
    }
}
