/// A JSON value that keeps what was written: the digits of numbers, the order of keys, and duplicate keys.
///
/// Values are equal if they mean the same (see `==`), even if they are not written the same.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Whether jq takes it for true: anything but false and null.
    var isTruthy: Bool {
        switch self {
        case .null, .bool(false): false
        default: true
        }
    }
}
