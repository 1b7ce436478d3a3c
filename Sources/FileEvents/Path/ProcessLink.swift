import SystemCalls

/// A link in /proc to a file that a process has open, or to a directory that it is in. That may have no path: the
/// link's text would lead to another file of the same name if the process is in another mount namespace, or has moved
/// on since.
struct ProcessLink {
    private let path: String
    /// Nil if it is too long, or not UTF-8: the kernel follows the link all the same.
    private let text: String?

    static let areSilent = "proc does not report when a process, or one of its links, changes"

    init(at path: String) throws(Errno) {
        self.path = path
        do throws(Errno) {
            text = try Path.linkTarget(of: path)
        } catch  where error == .nameTooLong || error == .illegalByteSequence {
            text = nil
        }
    }

    /// The text, if that leads there from the link's directory, as those of self and mounts do. The text of a pipe's
    /// link is no path.
    func relativeText(in directory: String) throws(Errno) -> String? {
        guard let text, !Path.isAbsolute(text), try Path.isSamePlace(path, directory + "/" + text) else { return nil }
        return text
    }

    var leadsToDirectory: Bool {
        get throws(Errno) { try Path.status(of: path).kind == .directory }
    }

    /// The path of an open file; `.crossDevice` if it has none. The path is needed because a file is replaced in its
    /// directory, which only the link's text names.
    func openFile() throws(Errno) -> String {
        guard let text, Path.isAbsolute(text), try Path.isSamePlace(path, text) else { throw .crossDevice }
        return text
    }
}
