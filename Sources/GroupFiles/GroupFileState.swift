/// A value, its status, and how changes are detected, all at one moment.
public struct GroupFileState<Value: Sendable>: Sendable {
    /// The newest value that decoded, or the initial value.
    public let value: Value
    /// Whether the value is what the file holds.
    public let status: GroupFileStatus
    /// How changes are detected.
    public let health: GroupFileHealth

    /// For test doubles of your own.
    public init(value: Value, status: GroupFileStatus, health: GroupFileHealth) {
        self.value = value
        self.status = status
        self.health = health
    }
}

extension GroupFileState: Equatable where Value: Equatable {}
