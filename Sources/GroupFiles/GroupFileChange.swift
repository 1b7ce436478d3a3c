/// A change of a value.
public struct GroupFileChange<Value: Sendable>: Sendable {
    public let old: Value
    public let new: Value
    /// Whether this process wrote the new value, by whichever `GroupFile`.
    public let isOwn: Bool
}
