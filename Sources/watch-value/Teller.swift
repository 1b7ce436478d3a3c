import GroupFiles
import JSONText

/// Decides which sights of one value are news. Pure.
///
/// Plain, only values are compared, with the last that was told, unless the value was missing since. With `tellsAll`
/// each is compared with what was there just before, be it missing or bad.
struct Teller: Sendable {
    private enum Last {
        case nothing, missing, value
        case invalid(GroupFileError)
    }

    let part: JSONPath?
    let tellsAll: Bool
    private var last = Last.nothing
    private var lastValue: JSONValue?
    private var isPolling = false

    init(part: JSONPath?, tellsAll: Bool) {
        self.part = part
        self.tellsAll = tellsAll
    }

    mutating func news(_ sight: Sight) -> [News] {
        var news = healthNews(sight.health)
        if sight.wasMissing, sight.status != .missing { news += missingNews() }
        if case .invalid(let error) = sight.status {
            if case .invalid(error) = last { return news }
            last = .invalid(error)
            return news + [.invalid(error)]
        }
        guard let value = part.map({ sight.value?[$0] }) ?? sight.value else { return news + missingNews() }
        let isKnown = lastValue.map { isSame($0, value) } ?? false
        defer {
            last = .value
            lastValue = value
        }
        if isKnown {
            if !tellsAll { return news }
            if case .value = last { return news }
        }
        return news + [.value(value)]
    }

    private mutating func missingNews() -> [News] {
        lastValue = nil
        if case .missing = last { return [] }
        last = .missing
        return [.missing]
    }

    private mutating func healthNews(_ health: GroupFileHealth) -> [News] {
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

    /// The whole is the same where its line is; a part, where it means the same.
    private func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
        part == nil ? a.description == b.description : a == b
    }
}
