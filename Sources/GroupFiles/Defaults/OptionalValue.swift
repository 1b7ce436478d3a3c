/// What may be nil where its type is not known.
protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    /// Also where what is wrapped is nil.
    var isNil: Bool { map { ($0 as? any OptionalValue)?.isNil ?? false } ?? true }
}
