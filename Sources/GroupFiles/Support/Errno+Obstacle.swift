import SystemCalls

extension Errno {
    /// What to do where a directory cannot be had at `path`, for what is in its place, or on the way to it; nil where that is
    /// not why.
    func obstacleAdvice(at path: String) -> String? {
        guard self == .notDirectory, let obstacle = PathObstacle(at: path) else { return nil }
        return "\(obstacle.description): \(obstacle.remedy)"
    }

    /// The same where `path` is a file's, whose link leads to where there is no directory for it.
    func linkAdvice(at path: String) -> String? {
        guard isNotFound else { return nil }
        switch PathObstacle(at: path) {
        case .danglingLink(let link, let target):
            return "\(link) is a symbolic link to \(target): make the directory of that, or remove the link"
        case .other(let place): return "\(place) is not a directory: move it away"
        case nil: return nil
        }
    }
}
