/// Changes that are refused before anything is touched.
extension GroupFileError {
    static func readOnly(_ path: String) -> GroupFileError {
        GroupFileError(
            .readOnly, path: path, "it, or its container, was opened with access: .readOnly; open it for writing")
    }

    /// No user gets it: it ends a removal, and where there is no directory, nothing has to be removed.
    static func noDirectory(_ path: String) -> GroupFileError {
        GroupFileError(.directoryKeepsChanging, path: path, "there is no directory")
    }

    static func nested(_ path: String) -> GroupFileError {
        GroupFileError(
            .nested, path: path,
            "this is within an update of the same value, which holds the lock; change the value that was passed in")
    }
}
