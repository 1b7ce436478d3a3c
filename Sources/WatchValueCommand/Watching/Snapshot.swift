import GroupFiles
import JSONText

/// The state of a value at one moment.
struct Snapshot: Sendable {
    let status: GroupFileStatus
    let value: JSONValue?
    let health: GroupFileHealth
    /// Whether the value was missing since the snapshot before.
    var wasMissing = false
}
