import FoundationEssentials

/// What a renderer has to do, and when: pure, so that nobody needs to wait to see it decide.
struct TimelineSchedule<Entry: TimelineEntry> {
    struct Step {
        /// To be shown now.
        var entry: Entry?
        /// Whether the provider is to be asked now.
        var asks = false
        /// When to look again; nil until something happens.
        var wake: Date?
    }

    /// Between two requests by the policy: a timeline may be over before it is there.
    private let shortestInterval: TimeInterval
    private var timeline: Timeline<Entry>?
    private var shown: Int?
    private var lastAsked = Date.distantPast
    private var isAsking = false
    /// At first nothing is known.
    private var wantsReload = true

    init(shortestInterval: TimeInterval) {
        self.shortestInterval = shortestInterval
    }

    mutating func requestReload() { wantsReload = true }

    mutating func receive(_ timeline: Timeline<Entry>) {
        self.timeline = timeline
        shown = nil
        isAsking = false
    }

    /// While the provider is asked the old entries go on, and who wants a reload meanwhile gets one afterwards.
    mutating func step(at now: Date) -> Step {
        var step = Step()
        // Where none is due yet, what is shown stays.
        if let timeline, let due = timeline.entries.lastIndex(where: { $0.date <= now }), due != shown {
            shown = due
            step.entry = timeline.entries[due]
        }
        if !isAsking, wantsReload || isDue(now) || isAhead(now) {
            isAsking = true
            wantsReload = false
            lastAsked = now
            step.asks = true
        }
        let next = timeline?.entries.first { $0.date > now }?.date
        step.wake = [next, isAsking ? nil : reloadDate].compactMap(\.self).min()
        return step
    }

    /// Whether what is shown is of a time to come: the clock was set back to before all that there is, which would be
    /// shown until then.
    private func isAhead(_ now: Date) -> Bool {
        guard let timeline, let shown else { return false }
        return timeline.entries[shown].date > now
    }

    private func isDue(_ now: Date) -> Bool { reloadDate.map { $0 <= now } ?? false }

    /// By the policy.
    private var reloadDate: Date? {
        let earliest = lastAsked + shortestInterval
        return switch timeline?.policy {
        case nil, .never: nil
        case .atEnd: max(timeline?.entries.last?.date ?? earliest, earliest)
        case .after(let date): max(date, earliest)
        }
    }
}
