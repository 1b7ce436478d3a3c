/// A change of a value.
public struct GroupFileChange<Value: Sendable>: Sendable {
    /// The value before, as this iteration saw it: changes in between may have been skipped.
    public let old: Value
    /// The value now.
    public let new: Value
    /// Whether this process wrote the new value, through any `GroupFile`.
    public let isOwn: Bool

    /// For test doubles of your own.
    public init(old: Value, new: Value, isOwn: Bool) {
        self.old = old
        self.new = new
        self.isOwn = isOwn
    }
}

extension GroupFileChange: Equatable where Value: Equatable {}
