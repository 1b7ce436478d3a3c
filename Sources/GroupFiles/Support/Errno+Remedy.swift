import SystemCalls

extension Errno {
    /// What to do about it, whatever was tried; nil if it depends on that.
    package var remedy: String? {
        switch self {
        case .noSpace: "make room on the file system (see df and df -i)"
        case .quotaExceeded: "make room within the quota"
        case .fileTooLarge: "raise the limit of file sizes (ulimit -f), or make the value smaller"
        case .tooManyOpenFiles: "close descriptors, or raise the limit (ulimit -n)"
        case .fileTableFull: "the machine has no descriptors left (fs.file-max)"
        case .wouldBlock:
            "try again; there may be too many threads or processes (ulimit -u), or too little memory (ulimit -v)"
        default: nil
        }
    }
}
