import GroupFiles
import JSONText

/// Decides what is new in the snapshots of one value. Pure.
///
/// Usually a value is compared with the last one that was reported, unless the value was missing since; and each error
/// of bad content is reported once, until the value is good or missing in between. With `tellsAll` each state is
/// compared with the one just before, even if that is missing or bad; an error that comes again is then marked as such.
struct ChangeDetector: Sendable {
    private enum Last {
        case nothing, missing, value
        case invalid(GroupFileError)
    }

    let part: JSONPath?
    let tellsAll: Bool
    private var last = Last.nothing
    private var lastValue: JSONValue?
    /// The errors that were reported since the value was last good or missing; only the newest.
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
            let isNew = isNew(error)
            return tellsAll || isNew ? events + [.invalid(error, isNew: isNew)] : events
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

    /// A whole value is the same if its line is the same, byte by byte; a part is the same if it means the same.
    private func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
        part == nil ? a.description.hasSameScalars(as: b.description) : a == b
    }
}
