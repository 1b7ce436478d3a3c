public import FoundationEssentials

/// What a widget is to show, now and later, and when its provider wants to be asked again.
public struct Timeline<Entry: TimelineEntry>: Sendable {
    /// Sorted by date.
    public let entries: [Entry]
    public let policy: TimelineReloadPolicy

    public init(entries: [Entry], policy: TimelineReloadPolicy) {
        self.entries = entries.sorted { $0.date < $1.date }
        self.policy = policy
    }
}

/// When a provider is asked again without any request to reload.
public enum TimelineReloadPolicy: Hashable, Sendable {
    /// Not at all: only `TimelineCenter` reloads it.
    case never
    /// As soon as the last entry is shown.
    case atEnd
    case after(Date)
}
