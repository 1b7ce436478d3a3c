/// A JSON value that keeps what was written: the digits of numbers, the order of keys, and keys that are there twice.
///
/// Equal are values that mean the same (see `==`), not those that are written the same.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Neither false nor null, as jq sees it.
    var isTruthy: Bool {
        switch self {
        case .null, .bool(false): false
        default: true
        }
    }
}
