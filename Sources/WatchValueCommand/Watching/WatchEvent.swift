import GroupFiles
import JSONText

/// Something to report about one value.
enum WatchEvent: Sendable {
    case value(JSONValue)
    case missing
    /// `isNew`: not reported before since the value was last good or missing.
    case invalid(GroupFileError, isNew: Bool)
    case polling(String)
    case live

    /// Whether it is about how changes are detected, and not about the value.
    var isHealth: Bool {
        switch self {
        case .polling, .live: true
        case .value, .missing, .invalid: false
        }
    }
}
