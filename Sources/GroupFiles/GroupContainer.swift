import SystemCalls

/// The directory that belongs to a group: programs that share it share values.
///
/// ```swift
/// let radio = try GroupContainer(identifier: "group.com.example.radio")
/// ```
public struct GroupContainer: Sendable, CustomStringConvertible {
    let store: any NamesStore
    /// The access that values in it may be opened with.
    public let access: Access
    /// The directory's absolute path; for a container in memory, a name that is not a path.
    public let path: String

    /// The container of a group, created if it is missing.
    ///
    /// It lies below `root`; without one, below `GROUP_CONTAINERS` from the environment, else
    /// `$XDG_DATA_HOME/group-containers`, else `~/.local/share/group-containers`. A relative `GROUP_CONTAINERS` starts
    /// from the current directory, so set it to an absolute path; a relative `XDG_DATA_HOME` is ignored.
    ///
    /// - Parameters:
    ///   - identifier: One path component of at most 200 bytes, without a leading dot, `/` or control characters.
    ///   - root: The directory below which it lies; nil means the one that the environment names.
    ///   - access: `.readOnly` creates nothing, not even the directory, which may come later.
    ///   - sharing: Who may use what is created; see ``Sharing``.
    /// - Throws: `.invalidName`, `.noContainers` if no variable says where, or why the directory cannot be created.
    public init(
        identifier: String, root: String? = nil, access: Access = .readWrite, sharing: Sharing = .owner
    ) throws(GroupFileError) {
        try self.init(
            directory: try Self.directory(of: identifier, root: root), access: access, sharing: sharing)
    }

    /// Any directory as a container, created if it is missing. A relative path starts from the current directory; `~`
    /// is not expanded.
    ///
    /// - Parameters:
    ///   - path: The directory's path.
    ///   - access: `.readOnly` creates nothing, not even the directory, which may come later.
    ///   - sharing: Who may use what is created; see ``Sharing``.
    /// - Throws: `.invalidName` for an invalid path, or why the directory cannot be created.
    public init(
        directory path: String, access: Access = .readWrite, sharing: Sharing = .owner
    ) throws(GroupFileError) {
        try self.init(directory: path, access: access, sharing: sharing, usesNotifications: true)
    }

    /// `usesNotifications: false` polls, as on a file system that cannot notify.
    package init(
        directory path: String, access: Access, sharing: Sharing, usesNotifications: Bool
    ) throws(GroupFileError) {
        try GroupFileError.refuseForked()
        if path.isEmpty || path.utf8.contains(0) {
            throw GroupFileError(.invalidName, "the container's path is empty, or has a NUL in it; name a directory")
        }
        let absolute: String
        do throws(Errno) {
            absolute = try Path.absolute(path)
            if access == .readWrite { try Self.make(absolute, sharing) }
        } catch {
            throw GroupFileError(error, reaching: path, "make or open the container")
        }
        store = DirectoryStore.shared(
            path: absolute, sharing: sharing, usesNotifications: usesNotifications)
        self.access = access
        self.path = absolute
    }

    /// For reading and writing.
    init(_ store: any NamesStore) {
        self.store = store
        access = .readWrite
        path = store.path
    }

    /// Creates the directory if it is missing; again if it is removed meanwhile.
    private static func make(_ path: String, _ sharing: Sharing) throws(Errno) {
        for attempt in 1...Attempts.most {
            do throws(Errno) {
                try sharing.makeDirectory(at: path)
                if try Path.status(of: path).kind != .directory { throw .notDirectory }
                return
            } catch {
                if error != .noEntry || attempt == Attempts.most { throw error }
            }
        }
    }

    /// The path of a group's container, whether it exists or not; may be relative. Errors call the identifier `what`.
    package static func directory(
        of identifier: String, _ what: String = "group identifier", root: String? = nil
    ) throws(GroupFileError) -> String {
        try ValueName.check(identifier, what)
        let parent = if let root { root } else { try defaultRoot() }
        if parent.isEmpty {
            throw GroupFileError(.invalidName, "the root of the containers is empty; name a directory, or leave it out")
        }
        return parent + "/" + identifier
    }

    /// Where groups' containers are, if no root is given.
    private static func defaultRoot() throws(GroupFileError) -> String {
        if let root = try directory(in: "GROUP_CONTAINERS") { return root }
        if let data = try directory(in: "XDG_DATA_HOME"), Path.isAbsolute(data) {
            return data + "/group-containers"
        }
        if let home = try directory(in: "HOME") { return home + "/.local/share/group-containers" }
        throw GroupFileError(
            .noContainers, "there is no place for containers: set HOME, or GROUP_CONTAINERS to a directory")
    }

    /// The directory that an environment variable names.
    private static func directory(in variable: String) throws(GroupFileError) -> String? {
        do throws(Errno) {
            return try CurrentProcess.environment(variable)
        } catch {
            throw GroupFileError(
                .system, errno: error.rawValue, "\(variable) is not UTF-8; set it to a directory whose path is")
        }
    }

    /// Its type and path, as in `GroupContainer(/path/to/directory)`.
    public var description: String { "GroupContainer(\(path))" }

    /// The names of the current values, sorted: regular files with a valid name. Lists the directory on this thread.
    ///
    /// - Throws: An error that says why the directory cannot be listed; a missing one has no names.
    public func currentNames() throws(GroupFileError) -> [String] {
        try GroupFileError.refuseForked()
        return try store.names()
    }
}
