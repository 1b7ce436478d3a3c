/// What `UserDefaults` has and `GroupDefaults` lacks: the compiler says what to write instead.
extension GroupDefaults {
    /// For programs that are ported: JSON does not tell a date, say, from a number.
    @available(*, unavailable, message: "name the type: object(forKey: key, as: Date.self)")
    public func object(forKey key: String) -> Any? { nil }

    /// For programs that are ported: JSON does not tell a date, say, from a number.
    @available(*, unavailable, message: "name the type: object(forKey: key, as: Date.self)")
    public func value(forKey key: String) -> Any? { nil }

    /// For programs that are ported: JSON has one kind of numbers.
    @available(*, unavailable, message: "write Float(defaults.double(forKey: key))")
    public func float(forKey key: String) -> Float { 0 }

    /// For programs that are ported: it would be one type of many.
    @available(*, unavailable, message: "write object(forKey: key, as: [String].self)")
    public func stringArray(forKey key: String) -> [String]? { nil }

    /// For programs that are ported: it would be one type of many.
    @available(*, unavailable, message: "write object(forKey: key, as: URL.self)")
    public func url(forKey key: String) -> Any? { nil }

    /// For programs that are ported: not every value can be written.
    @available(
        *, unavailable, message: "say which type it has: one that is Codable, or [Any] or [String: Any], and not nil"
    )
    @_disfavoredOverload
    public func set(_ value: Any?, forKey key: String) throws(GroupFileError) {}

    /// For programs that are ported: this is `set(_:forKey:)` by another name.
    @available(*, unavailable, message: "write try set(value, forKey: key)")
    public func setValue(_ value: Any?, forKey key: String) {}

    /// For programs that are ported: there is nothing to wait for.
    @available(*, unavailable, message: "leave it out: each set is published when it returns")
    public func synchronize() -> Bool { true }
}
