public import FoundationEssentials

/// What a widget shows from a certain date on.
public protocol TimelineEntry: Sendable {
    /// When it begins to be shown; it stays until the next one is due.
    var date: Date { get }
}
