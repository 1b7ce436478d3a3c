import SystemCalls

/// What went wrong after the change was published.
extension GroupFileError {
    static func notSynced(_ path: String, _ error: Errno) -> GroupFileError {
        GroupFileError(
            .notDurable, path: path, errno: error.rawValue,
            "the change is published, but syncing its directory failed: \(error); it may not outlive a power cut")
    }

    static func notNarrowed(_ path: String, _ error: Errno) -> GroupFileError {
        GroupFileError(
            .notDurable, path: path, errno: error.rawValue,
            "the change is published, but for all who might use the value until just now: \(error); narrow its permissions once more"
        )
    }
}
