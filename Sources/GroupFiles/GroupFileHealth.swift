import FileEvents

/// How changes come to be known.
public enum GroupFileHealth: Hashable, Sendable {
    /// The kernel tells at once.
    case live
    /// The kernel cannot tell; the file is looked at every 250 ms to 2 s. The reason is a sentence for people.
    case polling(String)
    /// The directory is not there; changes are told once it is.
    case waitingForDirectory

    init(_ health: WatchHealth) {
        switch health {
        case .live: self = .live
        case .polling(let reason): self = .polling(reason)
        case .waitingForDirectory: self = .waitingForDirectory
        }
    }
}
