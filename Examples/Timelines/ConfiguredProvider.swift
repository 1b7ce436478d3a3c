public import GroupFiles

/// A provider, and the shared value by which its user configures it.
public struct ConfiguredProvider<Provider: IntentTimelineProvider>: TimelineProvider {
    public let provider: Provider
    public let configuration: GroupFile<Provider.Configuration>

    public func placeholder(in context: Context) -> Provider.Entry {
        provider.placeholder(in: context)
    }

    public func snapshot(in context: Context) async -> Provider.Entry {
        await provider.snapshot(for: configuration.value, in: context)
    }

    public func timeline(in context: Context) async -> Timeline<Provider.Entry> {
        await provider.timeline(for: configuration.value, in: context)
    }
}
