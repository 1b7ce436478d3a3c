import GroupFiles
import JSONText

/// What stood in a value's place at a moment.
struct Snapshot: Sendable {
    var status: GroupFileStatus
    var value: JSONValue?
    var health: GroupFileHealth
    /// It was missing in between.
    var wasMissing = false
}
