import FoundationEssentials

/// Types that are left to `JSONDecoder` and `JSONEncoder`.
enum PlainTypes {
    /// Asked of every value of a type's own: it compares, and looks nothing up.
    static func isSpecial<T>(_ type: T.Type) -> Bool {
        T.self == Data.self || T.self == URL.self || T.self == Decimal.self || T.self == Int128.self
            || T.self == UInt128.self
    }
}
