import SystemCalls

/// What went wrong after the change was published.
extension GroupFileError {
    static func notSynced(_ path: String, _ error: Errno) -> GroupFileError {
        GroupFileError(
            .notDurable, path: path, errno: error.rawValue,
            "the change is published, but syncing its directory failed: \(error); it may not outlive a power cut; once the disk is sound, write it again"
        )
    }

    static func notNarrowed(_ path: String, _ error: Errno) -> GroupFileError {
        GroupFileError(
            .notDurable, path: path, errno: error.rawValue,
            "the change is published, but for all who might use the value until just now: \(error); narrow its permissions once more"
        )
    }

    /// - Parameter place: Where what was displaced is.
    static func notPutBack(_ path: String, _ error: Errno, _ place: String) -> GroupFileError {
        GroupFileError(
            .notDurable, path: path, errno: error.rawValue,
            "the change is published, but what it displaced can neither be kept nor put back: \(error); \(place)")
    }
}
