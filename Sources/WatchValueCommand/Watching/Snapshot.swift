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

extension Snapshot {
    init(_ state: GroupFileState<JSONDocument>) {
        self.init(status: state.status, value: state.value.value, health: state.health)
    }
}
