import SystemCalls

extension GroupFileError {
    static func unreadable(_ obstacle: Content.Obstacle, path: String, limit: Int) -> GroupFileError {
        switch obstacle {
        case .notRegular(let kind): .notRegular(path, kind)
        case .tooLarge(let size):
            GroupFileError(
                .tooLarge, path: path, "it has \(size) bytes; \(limit) are allowed",
                callerAdvice: "shorten it, or raise maximumSize")
        case .failed(.wouldBlock):
            GroupFileError(
                .system, path: path, errno: Errno.wouldBlock.rawValue,
                "cannot read the value: another program holds a lease on it",
                callerAdvice: "that program has been asked to give it back; try again")
        case .failed(let error): .unreached(error, path)
        case .noPlace(let error): error
        }
    }

    static func unreached(_ error: Errno, _ path: String) -> GroupFileError {
        GroupFileError(error, reaching: path, "read the value")
    }
}
