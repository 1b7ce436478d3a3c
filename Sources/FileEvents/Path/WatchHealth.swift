/// How changes at a path are detected.
public enum WatchHealth: Hashable, Sendable {
    /// The kernel reports changes at once.
    case live
    /// The kernel does not report changes, or the path cannot be followed, for example because its links lead in a
    /// circle, and what is there is polled every 250 ms to 2 s; or the system has no thread left for the library, and
    /// no changes are reported until it has. The reason is human-readable.
    case polling(reason: String)
    /// The directory does not exist; its nearest ancestor is watched, and changes are reported once it does.
    case waitingForDirectory

    var isPolling: Bool {
        if case .polling = self { true } else { false }
    }
}
