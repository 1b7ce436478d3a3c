import ExampleSupport
import FoundationEssentials
public import GroupFiles

/// Where programs request that widgets reload, and learn which widgets are shown, in any process.
///
/// A request is a new value in the defaults of a group, under one key per kind, which the renderers of that kind
/// observe. The widgets that are shown are a value beside them.
public struct TimelineCenter: Sendable {
    /// The center of the group that all programs of a user share.
    public static let shared = TimelineCenter { access throws(GroupFileError) in
        try GroupContainer(identifier: "group.timelines", access: access)
    }

    private let container: @Sendable (Access) throws(GroupFileError) -> GroupContainer

    private init(_ container: @escaping @Sendable (Access) throws(GroupFileError) -> GroupContainer) {
        self.container = container
    }

    /// A separate center, such as one in memory for tests.
    public init(container: GroupContainer) {
        self.init { _ throws(GroupFileError) in container }
    }

    /// Makes every renderer of this kind ask its provider again, at once.
    public func reloadTimelines(ofKind kind: String) throws(GroupFileError) {
        try request(Self.reloadKey(kind))
    }

    /// Makes every renderer ask its provider again, at once.
    public func reloadAllTimelines() throws(GroupFileError) {
        try request(Self.allKey)
    }

    /// The widgets that are shown now.
    public func getCurrentConfigurations() throws(GroupFileError) -> [WidgetInfo] {
        let widgets = try widgets(.readOnly).read() ?? [:]
        return widgets.values.filter(\.process.isAlive).sorted { $0.kind < $1.kind }
    }

    // MARK: The renderer's side

    private static let allKey = "reload"
    private static func reloadKey(_ kind: String) -> String { "reload.\(kind)" }

    func observeReloads(
        ofKind kind: String, _ handler: @escaping @Sendable () -> Void
    ) throws(GroupFileError) -> [Subscription] {
        // Creates nothing, so it works even where this program cannot write; then the requests of others still arrive.
        let defaults = GroupDefaults(container: try container(.readOnly))
        return [Self.allKey, Self.reloadKey(kind)].map { key in
            defaults.observe(key, as: String.self).observeChanges(handler)
        }
    }

    /// The widgets that are shown, by their registrations' identifiers.
    func widgets(
        _ access: Access, lockTimeout: Duration? = nil
    ) throws(GroupFileError) -> GroupFile<[String: WidgetInfo]?> {
        try container(access).file(named: "widgets", lockTimeout: lockTimeout)
    }

    private func request(_ key: String) throws(GroupFileError) {
        try GroupDefaults(container: try container(.readWrite)).set(UUID().uuidString, forKey: key)
    }
}
