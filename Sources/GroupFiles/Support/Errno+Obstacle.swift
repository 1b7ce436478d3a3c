import SystemCalls

extension Errno {
    /// What to do if there can be no directory at `path`, because of what is in its place or on the way to it; nil if
    /// that is not the reason.
    fileprivate func obstacleAdvice(at path: String) -> String? {
        switch self {
        case .notDirectory: PathObstacle(at: path)?.advice
        case .crossDevice:
            "no path leads there from here, because it was removed, is a pipe or socket, is in another mount namespace, or has something mounted over it; values are watched and replaced by their path, so use one that leads there"
        default: nil
        }
    }

    /// The same for the path of a file, which may be a link to where there is no directory for it.
    func linkAdvice(at path: String) -> String? {
        guard isNotFound, let obstacle = PathObstacle(at: path) else { return obstacleAdvice(at: path) }
        guard case .danglingLink(let link, let target) = obstacle else { return obstacle.advice }
        return "\(link) is a symbolic link to \(target): create the directory for that, or remove the link"
    }
}

extension GroupFileError {
    /// `path` could not be reached, or what is there could not be used; no value was to be changed.
    init(_ error: Errno, reaching path: String, _ action: String) {
        self.init(error, path: path, action, changes: false, advice: error.obstacleAdvice(at: path))
    }
}
