import FoundationEssentials

/// What a renderer has to do, and when. It has no side effects, so that its decisions can be seen without waiting.
struct TimelineSchedule<Entry: TimelineEntry> {
    struct Step {
        /// To be shown now.
        var entry: Entry?
        /// Whether the provider is to be asked now.
        var asks = false
        /// When to look again; nil until something happens.
        var wake: Date?
    }

    /// The shortest time between two requests by the policy, in seconds: otherwise a timeline that is over when it arrives
    /// would be requested all the time.
    private let shortestInterval: TimeInterval = 1
    private var timeline: Timeline<Entry>?
    private var shown: Int?
    private var lastAsked = Date.distantPast
    private var isAsking = false
    /// At first nothing is known.
    private var wantsReload = true

    mutating func requestReload() { wantsReload = true }

    mutating func receive(_ timeline: Timeline<Entry>) {
        self.timeline = timeline
        shown = nil
        isAsking = false
    }

    /// While the provider is being asked, the old entries continue; a reload that is requested meanwhile follows
    /// afterwards.
    mutating func step(at now: Date) -> Step {
        var step = Step()
        // If no entry is due yet, the one that is shown stays.
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

    /// Whether the date of the shown entry is still to come: the clock was set back to before all entries, and without
    /// another timeline this one would be shown until then.
    private func isAhead(_ now: Date) -> Bool {
        guard let timeline, let shown else { return false }
        return timeline.entries[shown].date > now
    }

    private func isDue(_ now: Date) -> Bool { reloadDate.map { $0 <= now } ?? false }

    /// When the provider is to be asked again by the policy; nil if it is not.
    private var reloadDate: Date? {
        let earliest = lastAsked + shortestInterval
        return switch timeline?.policy {
        case nil, .never: nil
        case .atEnd: max(timeline?.entries.last?.date ?? earliest, earliest)
        case .after(let date): max(date, earliest)
        }
    }
}
