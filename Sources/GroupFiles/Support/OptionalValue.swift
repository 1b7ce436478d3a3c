/// Any optional, where the type is not known statically.
protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    /// True for a wrapped nil, too.
    var isNil: Bool { map { ($0 as? any OptionalValue)?.isNil ?? false } ?? true }
}
