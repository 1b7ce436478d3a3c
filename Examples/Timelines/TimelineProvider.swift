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
