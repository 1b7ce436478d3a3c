import FoundationEssentials

/// Types that are left to `JSONDecoder` and `JSONEncoder`.
enum PlainTypes {
    /// Called for every value that is not a plain scalar, so it only compares, and looks nothing up.
    static func isSpecial<T>(_ type: T.Type) -> Bool {
        T.self == Data.self || T.self == URL.self || T.self == Decimal.self || T.self == Int128.self
            || T.self == UInt128.self
    }
}
