import GroupFiles
import JSONText

/// The state of a value at one moment.
struct Snapshot: Sendable {
    var status: GroupFileStatus
    var value: JSONValue?
    var health: GroupFileHealth
    /// Whether the value was missing since the snapshot before.
    var wasMissing = false
}
