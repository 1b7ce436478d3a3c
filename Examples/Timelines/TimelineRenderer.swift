public import GroupFiles

/// Shows what the provider of one kind of widget says, when it is due.
///
/// 1. The *placeholder* is shown, and the provider is *asked* for a timeline.
/// 2. The timeline's entry that is due is *shown*; until the next one the renderer *sleeps*.
/// 3. The provider is *asked again* by the timeline's policy, and at once if any process requests it from
///    ``TimelineCenter``, or if the user changes the configuration.
public struct TimelineRenderer<Provider: TimelineProvider>: Sendable {
    private let kind: String
    private let provider: Provider
    private let center: TimelineCenter
    private let clock: any TimelineClock
    /// Calls the handler when the user has changed the configuration.
    private let observeConfiguration: @Sendable (@escaping @Sendable () -> Void) -> Subscription?
    /// The configuration as JSON.
    private let configuration: @Sendable () throws -> String?

    public init(
        kind: String, provider: Provider, center: TimelineCenter = .shared, clock: any TimelineClock = WallClock()
    ) {
        self.kind = kind
        self.provider = provider
        self.center = center
        self.clock = clock
        observeConfiguration = { _ in nil }
        configuration = { nil }
    }

    /// A kind that its user configures: the provider is asked again with each change of the value.
    public init<Intent: IntentTimelineProvider>(
        kind: String, provider: Intent, configuration: GroupFile<Intent.Configuration>,
        center: TimelineCenter = .shared, clock: any TimelineClock = WallClock()
    ) where Provider == ConfiguredProvider<Intent> {
        self.kind = kind
        let provider = ConfiguredProvider(provider: provider, configuration: configuration)
        self.provider = provider
        self.center = center
        self.clock = clock
        observeConfiguration = provider.observeConfiguration
        self.configuration = { try WidgetInfo.encode(provider.configuration) }
    }

    /// What the widget looks like now, for a gallery.
    public func snapshot() async -> Provider.Entry {
        await provider.snapshot(in: TimelineProviderContext(date: clock.now, isPreview: true))
    }

    /// Calls `show` with one entry after the other, until the task is cancelled.
    ///
    /// - Parameter report: Receives what goes wrong between this widget and its ``TimelineCenter``; the widget is shown
    ///   nevertheless.
    public func run(
        report: @escaping @Sendable (any Error) -> Void = { _ in },
        _ show: @escaping @Sendable (Provider.Entry) async -> Void
    ) async {
        let inbox = RendererInbox<Provider.Entry>()
        let registration = WidgetRegistration(kind: kind, center: center, configuration: configuration)
        // First, so that no request after the provider was asked is missed.
        var subscriptions: Set<Subscription> = []
        observeConfiguration {
            inbox.requestReload()
            registration.wake()
        }?.store(in: &subscriptions)
        do {
            try center.observeReloads(ofKind: kind, inbox.requestReload).forEach { $0.store(in: &subscriptions) }
        } catch {
            report(error)
        }
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await registration.keep(report) }
            await render(inbox, show)
        }
    }

    private func render(
        _ inbox: RendererInbox<Provider.Entry>, _ show: @Sendable (Provider.Entry) async -> Void
    ) async {
        await show(provider.placeholder(in: context))
        var schedule = TimelineSchedule<Provider.Entry>()
        var asking: Task<Void, Never>?
        defer { asking?.cancel() }
        var wakeups = inbox.wakeups.makeAsyncIterator()
        repeat {
            inbox.empty(into: &schedule)
            let step = schedule.step(at: clock.now)
            if let entry = step.entry { await show(entry) }
            if step.asks { asking = Task { [context] in inbox.put(await provider.timeline(in: context)) } }
            let alarm = step.wake.map { date in
                Task {
                    try await clock.sleep(until: date)
                    inbox.wake()
                }
            }
            defer { alarm?.cancel() }
            await wakeups.next()
        } while !Task.isCancelled
    }

    private var context: TimelineProviderContext { TimelineProviderContext(date: clock.now, isPreview: false) }
}
