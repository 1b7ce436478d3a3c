import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Timelines

/// One widget on a wall, with a clock that the test sets, so that nobody waits for time to pass.
final class Stage: Sendable {
    struct Entry: TimelineEntry {
        let date: Date
        let text: String
    }

    static let start = Date(timeIntervalSince1970: 1_000_000)

    let clock = ManualClock(start)
    let center: TimelineCenter
    let provider: Provider
    let shown = Log<String>()
    /// Guards itself.
    private let rendering = Guarded<Task<Void, Never>?>(nil)

    /// - Parameter timeline: The texts, and their seconds after the start, for the nth request.
    init(
        center: TimelineCenter = TimelineCenter(container: .inMemory()),
        _ timeline: @escaping @Sendable (Int) -> ([(Double, String)], TimelineReloadPolicy)
    ) {
        self.center = center
        provider = Provider { number in
            let (entries, policy) = timeline(number)
            return Timeline(
                entries: entries.map { Entry(date: Self.start + $0.0, text: $0.1) }, policy: policy)
        }
    }

    deinit {
        rendering.withLock { $0 }?.cancel()
    }

    func render(kind: String = "kind") {
        let renderer = TimelineRenderer(kind: kind, provider: provider, center: center, clock: clock)
        let shown = shown
        let task = Task { await renderer.run { shown.append($0.text) } }
        rendering.withLock { $0 = task }
    }

    /// Ends the widget, and waits until it has ended.
    func end() async {
        let task = rendering.withLock { $0 }
        task?.cancel()
        await task?.value
    }

    /// Sets the clock to this number of seconds after the start.
    func set(_ seconds: Double) { clock.set(Self.start + seconds) }

    func sleeps(until seconds: Double) async -> Bool { await clock.sleeps(until: Self.start + seconds) }

    /// Whether exactly these texts have been shown, once there are as many.
    func hasShown(_ texts: String...) async -> Bool {
        await shown.wait { $0.count >= texts.count ? $0 : nil } == texts
    }

    /// Whether the provider is asked for the nth time. Waits for that until the test's deadline.
    func isAsked(_ count: Int) async -> Bool {
        await provider.asked.reach { $0.count >= count }
    }

    /// Answers when the test lets it.
    final class Provider: TimelineProvider {
        let asked = Log<Date>()
        let gate = Gate()
        private let make: @Sendable (Int) -> Timeline<Entry>
        /// Guards itself: whether answers wait until the gate is open.
        private let waits = Guarded(false)

        init(_ make: @escaping @Sendable (Int) -> Timeline<Entry>) {
            self.make = make
        }

        func hold() { waits.withLock { $0 = true } }

        func placeholder(in context: Context) -> Entry { Entry(date: context.date, text: "placeholder") }

        func snapshot(in context: Context) async -> Entry {
            Entry(date: context.date, text: context.isPreview ? "preview" : "snapshot")
        }

        func timeline(in context: Context) async -> Timeline<Entry> {
            asked.append(context.date)
            let number = asked.elements.count
            if waits.withLock({ $0 }) { await gate.opened() }
            return make(number)
        }
    }
}
