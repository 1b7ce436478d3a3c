public import FoundationEssentials

/// For programs that have a directory as a URL, as `FileManager` returns it.
extension GroupContainer {
    /// The directory, as a URL; for a container in memory, one that leads nowhere.
    public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// The container of a group below `root`, created if it is missing.
    ///
    /// - Throws: As with a path; `.invalidName` if the URL is not a file URL.
    public init(
        identifier: String, root: URL, access: Access = .readWrite, sharing: Sharing = .owner
    ) throws(GroupFileError) {
        try self.init(identifier: identifier, root: try Self.path(of: root), access: access, sharing: sharing)
    }

    /// Any directory as a container, created if it is missing.
    ///
    /// - Throws: As with a path; `.invalidName` if the URL is not a file URL.
    public init(
        directory url: URL, access: Access = .readWrite, sharing: Sharing = .owner
    ) throws(GroupFileError) {
        try self.init(directory: try Self.path(of: url), access: access, sharing: sharing)
    }

    private static func path(of url: URL) throws(GroupFileError) -> String {
        guard url.isFileURL else {
            throw GroupFileError(
                .invalidName, path: url.absoluteString, "it is not a file URL; name a directory by its path")
        }
        return url.path(percentEncoded: false)
    }
}
