import GroupFiles
import JSONText

/// What there is to tell of one value.
enum WatchEvent: Sendable {
    case value(JSONValue)
    case missing
    case invalid(GroupFileError)
    case polling(String)
    case live
}
