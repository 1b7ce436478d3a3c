import FoundationEssentials

/// Values in Foundation's classes, as they come from property lists and `JSONSerialization`. If Foundation is loaded, a
/// cast bridges them, so Foundation need not be imported here.
enum BridgedProperty {
    /// Whether it is the null of `JSONSerialization`.
    static func isNull(_ object: Any) -> Bool { "\(type(of: object))" == "NSNull" }

    /// The object as a value of a Swift type; nil if it is not one that a property list may contain.
    static func value(in object: Any) -> (any Encodable)? {
        // The class decides, because a cast takes the number 1 for a boolean, too.
        if "\(type(of: object))" == "__NSCFBoolean" { return object as? Bool }
        switch object {
        case let value as Int: return value
        case let value as UInt64: return value
        case let value as Decimal: return value
        case let value as Double: return value
        case let value as String: return value
        case let value as Data: return value
        case let value as Date: return value
        default: return nil
        }
    }
}
