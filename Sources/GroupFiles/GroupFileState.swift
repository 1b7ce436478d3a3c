/// A value, how it stands, and how changes come to be known, all of one moment.
public struct GroupFileState<Value: Sendable>: Sendable {
    public let value: Value
    public let status: GroupFileStatus
    public let health: GroupFileHealth
}

extension GroupFileState: Equatable where Value: Equatable {}
