import GroupFiles
import Synchronization

/// A provider, and the shared value with which its user configures it.
public final class ConfiguredProvider<Provider: IntentTimelineProvider>: TimelineProvider {
    private let provider: Provider
    private let file: GroupFile<Provider.Configuration>
    /// The configuration that was reported last. `file.value` may be newer; a change from that back to this one is not
    /// reported.
    private let told: Mutex<Provider.Configuration>

    init(provider: Provider, configuration file: GroupFile<Provider.Configuration>) {
        self.provider = provider
        self.file = file
        told = Mutex(file.value)
    }

    var configuration: Provider.Configuration { told.withLock { $0 } }

    /// Calls the handler when the configuration changes.
    func observeConfiguration(_ handler: @escaping @Sendable () -> Void) -> Subscription {
        file.sink { [self] configuration in
            let isNew = told.withLock { told in
                defer { told = configuration }
                return told != configuration
            }
            if isNew { handler() }
        }
    }

    public func placeholder(in context: Context) -> Provider.Entry {
        provider.placeholder(in: context)
    }

    public func snapshot(in context: Context) async -> Provider.Entry {
        await provider.snapshot(for: configuration, in: context)
    }

    public func timeline(in context: Context) async -> Timeline<Provider.Entry> {
        await provider.timeline(for: configuration, in: context)
    }
}
