/// A provider of widgets that their user configures, by a shared value.
public protocol IntentTimelineProvider<Entry, Configuration>: Sendable {
    associatedtype Entry: TimelineEntry
    associatedtype Configuration: Codable & Equatable & Sendable
    typealias Context = TimelineProviderContext

    func placeholder(in context: Context) -> Entry
    func snapshot(for configuration: Configuration, in context: Context) async -> Entry
    func timeline(for configuration: Configuration, in context: Context) async -> Timeline<Entry>
}
