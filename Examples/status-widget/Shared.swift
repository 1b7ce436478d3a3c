import GroupFiles

/// What the app and its widgets share; nothing else knows the names.
struct Shared: Sendable {
    static let group = "group.example.status-widget"

    /// What the app is doing; nil if it has nothing to say.
    let status: GroupFile<Status?>
    /// How the user has configured the clock.
    let clock: GroupFile<ClockSettings>

    init(access: Access) throws(GroupFileError) {
        let container = try GroupContainer(identifier: Self.group, access: access)
        status = try container.file(named: "status")
        clock = try container.file(named: "clock", initialValue: ClockSettings())
    }
}
