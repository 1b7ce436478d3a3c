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
}
