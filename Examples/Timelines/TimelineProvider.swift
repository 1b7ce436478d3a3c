public import FoundationEssentials

/// Says what a widget of one kind is to show.
public protocol TimelineProvider<Entry>: Sendable {
    associatedtype Entry: TimelineEntry
    typealias Context = TimelineProviderContext

    /// What is shown until there is anything else: made at once, without any data.
    func placeholder(in context: Context) -> Entry
    /// What the widget looks like now, for a gallery of widgets.
    func snapshot(in context: Context) async -> Entry
    /// What to show from now on.
    func timeline(in context: Context) async -> Timeline<Entry>
}

/// A provider of widgets that their user configures, by a shared value.
public protocol IntentTimelineProvider<Entry, Configuration>: Sendable {
    associatedtype Entry: TimelineEntry
    associatedtype Configuration: Codable & Equatable & Sendable
    typealias Context = TimelineProviderContext

    func placeholder(in context: Context) -> Entry
    func snapshot(for configuration: Configuration, in context: Context) async -> Entry
    func timeline(for configuration: Configuration, in context: Context) async -> Timeline<Entry>
}

/// What a request to a provider is for.
public struct TimelineProviderContext: Sendable {
    /// Now, by the caller's clock.
    public let date: Date
    /// Whether it is for a gallery, rather than for a widget in use.
    public let isPreview: Bool
}
