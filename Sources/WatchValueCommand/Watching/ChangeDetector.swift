import GroupFiles
import JSONText

/// Decides what the snapshots of one value tell that is new. Pure.
///
/// Plain, values are compared with the last that was told, unless the value was missing since; and each bad content is told
/// once until a good one, or none, comes between. With `tellsAll` each is compared with what was there just before, be it
/// missing or bad.
struct ChangeDetector: Sendable {
    private enum Last {
        case nothing, missing, value
        case invalid(GroupFileError)
    }

    let part: JSONPath?
    let tellsAll: Bool
    private var last = Last.nothing
    private var lastValue: JSONValue?
    /// What was told of bad contents since there was a good one, or none; the newest.
    private var told: [GroupFileError] = []
    private static let mostTold = 16
    private var isPolling = false

    init(part: JSONPath?, tellsAll: Bool) {
        self.part = part
        self.tellsAll = tellsAll
    }

    mutating func events(_ snapshot: Snapshot) -> [WatchEvent] {
        var events = healthEvents(snapshot.health)
        if snapshot.wasMissing, snapshot.status != .missing { events += missingEvents() }
        if case .invalid(let error) = snapshot.status {
            if case .invalid(error) = last { return events }
            last = .invalid(error)
            return tellsAll || isNew(error) ? events + [.invalid(error)] : events
        }
        guard let value = part.map({ snapshot.value?[$0] }) ?? snapshot.value else { return events + missingEvents() }
        let isKnown = lastValue.map { isSame($0, value) } ?? false
        defer {
            last = .value
            lastValue = value
            told = []
        }
        if isKnown {
            if !tellsAll { return events }
            if case .value = last { return events }
        }
        return events + [.value(value)]
    }

    private mutating func isNew(_ error: GroupFileError) -> Bool {
        if told.contains(error) { return false }
        told.append(error)
        if told.count > Self.mostTold { told.removeFirst() }
        return true
    }

    private mutating func missingEvents() -> [WatchEvent] {
        lastValue = nil
        told = []
        if case .missing = last { return [] }
        last = .missing
        return [.missing]
    }

    private mutating func healthEvents(_ health: GroupFileHealth) -> [WatchEvent] {
        switch health {
        case .polling(let reason) where !isPolling:
            isPolling = true
            return [.polling(reason)]
        case .live where isPolling:
            isPolling = false
            return [.live]
        default: return []
        }
    }

    /// The whole is the same where its line is, byte by byte; a part, where it means the same.
    private func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
        part == nil ? a.description.utf8.elementsEqual(b.description.utf8) : a == b
    }
}
