import SystemCalls

extension GroupFileError {
    static func notRegular(_ path: String, _ kind: FileStatus.Kind) -> GroupFileError {
        let what =
            switch kind {
            case .directory: "a directory"
            case .symbolicLink: "a symbolic link"
            case .fifo: "a FIFO"
            case .socket: "a socket"
            case .device: "a device"
            case .regular: "a file"
            }
        return GroupFileError(
            .notRegularFile, path: path,
            "there is \(what) in the value's place; it is left alone: take another name, or move it away first")
    }

    /// The path ends with a link of /proc to what a process has open.
    static func openFile(_ path: String) -> GroupFileError {
        GroupFileError(
            .notRegularFile, path: path,
            "it leads to a file that a process has open, and not to where that is; it is left alone: write the file's own path"
        )
    }
}
