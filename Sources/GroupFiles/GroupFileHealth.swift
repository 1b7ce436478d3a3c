import FileEvents

/// How changes are detected.
public enum GroupFileHealth: Hashable, Sendable {
    /// The kernel reports changes at once.
    case live
    /// The kernel does not report changes, and the file is polled every 250 ms to 2 s; or the system has no thread left
    /// for the library, and no changes are delivered until it has. The string is a human-readable reason.
    case polling(String)
    /// The directory does not exist; changes are reported once it does.
    case waitingForDirectory

    init(_ health: WatchHealth) {
        switch health {
        case .live: self = .live
        case .polling(let reason): self = .polling(reason)
        case .waitingForDirectory: self = .waitingForDirectory
        }
    }
}
