import FileEvents

/// How a value stands.
public enum GroupFileStatus: Hashable, Sendable {
    /// The value is what the file holds.
    case current
    /// There is no file; the value is the initial value.
    case missing
    /// The file holds something that is no value; the value is the last good one.
    case invalid(GroupFileError)
}

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

/// A value, how it stands, and how changes come to be known, all of one moment.
public struct GroupFileState<Value: Sendable>: Sendable {
    public let value: Value
    public let status: GroupFileStatus
    public let health: GroupFileHealth
}

extension GroupFileState: Equatable where Value: Equatable {}

/// A change of a value.
public struct GroupFileChange<Value: Sendable>: Sendable {
    public let old: Value
    public let new: Value
    /// Whether this process wrote the new value, by whichever `GroupFile`.
    public let isOwn: Bool
}
