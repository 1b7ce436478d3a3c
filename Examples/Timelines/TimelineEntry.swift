public import FoundationEssentials

/// What a widget shows from a moment on.
public protocol TimelineEntry: Sendable {
    /// From when on it is shown, until the next one is due.
    var date: Date { get }
}
