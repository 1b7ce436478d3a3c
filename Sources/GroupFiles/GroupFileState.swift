/// A value, how it stands, and how changes come to be known, all of one moment.
public struct GroupFileState<Value: Sendable>: Sendable {
    /// The newest value that decoded, or the initial value.
    public let value: Value
    /// Whether the value is what the file holds.
    public let status: GroupFileStatus
    /// How changes come to be known.
    public let health: GroupFileHealth
}

extension GroupFileState: Equatable where Value: Equatable {}
