import SystemCalls

/// What went wrong after the change was published.
extension GroupFileError {
    static func notSynced(_ path: String, _ error: Errno) -> GroupFileError {
        GroupFileError(
            .notDurable, path: path, errno: error.rawValue,
            "the change is published, but syncing its directory failed: \(error); it may be lost in a power cut; write it again once the disk works"
        )
    }

    static func notNarrowed(_ path: String, _ error: Errno) -> GroupFileError {
        GroupFileError(
            .notDurable, path: path, errno: error.rawValue,
            "the change is published, but with the permissions that the old file had until just now: \(error); restrict them again"
        )
    }

    /// - Parameter place: Where what was displaced is.
    static func notPutBack(_ path: String, _ error: Errno, _ place: String) -> GroupFileError {
        GroupFileError(
            .notDurable, path: path, errno: error.rawValue,
            "the change is published, but what it displaced can neither be kept nor put back: \(error); \(place)")
    }
}
