import SystemCalls

extension Errno {
    /// What to do where a directory cannot be had at `path`, for what is in its place, or on the way to it; nil where that is
    /// not why.
    func obstacleAdvice(at path: String) -> String? {
        switch self {
        case .notDirectory: PathObstacle(at: path)?.advice
        case .crossDevice:
            "no path leads there from here, because it was removed, is a pipe or socket, is in another mount namespace, or has something mounted over it: values are watched and replaced by their path; take one that leads there"
        default: nil
        }
    }

    /// The same where `path` is a file's, whose link leads to where there is no directory for it.
    func linkAdvice(at path: String) -> String? {
        guard isNotFound, let obstacle = PathObstacle(at: path) else { return obstacleAdvice(at: path) }
        guard case .danglingLink(let link, let target) = obstacle else { return obstacle.advice }
        return "\(link) is a symbolic link to \(target): make the directory of that, or remove the link"
    }
}
