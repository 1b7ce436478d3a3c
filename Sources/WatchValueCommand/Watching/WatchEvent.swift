import GroupFiles
import JSONText

/// Something to report about one value.
enum WatchEvent: Sendable {
    case value(JSONValue)
    case missing
    case invalid(GroupFileError)
    case polling(String)
    case live
}
