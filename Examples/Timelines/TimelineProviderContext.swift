public import FoundationEssentials

/// What a request to a provider is for.
public struct TimelineProviderContext: Sendable {
    /// Now, by the caller's clock.
    public let date: Date
    /// Whether it is for a gallery, rather than for a widget in use.
    public let isPreview: Bool
}
