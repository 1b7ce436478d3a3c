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
            "there is \(what) in the value's place; it is left alone: use another name, or move it out of the way first"
        )
    }

    /// The path ends with a link of /proc to what a process has open.
    static func openFile(_ path: String) -> GroupFileError {
        GroupFileError(
            .notRegularFile, path: path,
            "it is a link in /proc to a file that a process has open, and is left alone: use the file's own path"
        )
    }
}
