import SystemCalls

extension GroupContainer {
    /// The container of a group, created once something is written. An existing one is shared with its Unix group if
    /// its permissions say so.
    init(unmade identifier: String, _ what: String = "group identifier") throws(GroupFileError) {
        try GroupFileError.refuseForked()
        let path = try Self.directory(of: identifier, what)
        do throws(Errno) {
            self.init(DirectoryStore.shared(path: try Path.absolute(path), sharing: nil, usesNotifications: true))
        } catch {
            throw GroupFileError(error, reaching: path, "find the current directory")
        }
    }
}
