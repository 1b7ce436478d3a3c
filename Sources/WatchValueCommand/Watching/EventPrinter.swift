import JSONText
import SystemCalls

/// Turns events into what is printed.
struct EventPrinter: Sendable {
    private enum Form: Sendable {
        case lines(Rendering)
        case events
        case differences
        case plot
    }

    /// How much of a value a complaint repeats, in bytes.
    private static let mostComplained = 60

    private let form: Form
    private let style: Style
    private let isTerminal = StandardStream.output.isScreen
    /// For differences: the value before.
    private var old: JSONValue?
    private var hasBegun = false
    private var sparkline = Sparkline()
    private var number = ""
    /// Whether the terminal shows a line that is being redrawn, which has to be ended before any other output.
    private var isLineOpen = false

    /// Whether every event is printed, even if the value is missing or bad.
    var printsAll: Bool {
        if case .events = form { true } else { false }
    }

    init(_ arguments: Arguments) throws(Failure) {
        let isMany = arguments.operands.count > 1
        let forms = [Option.events, .diff, .plot].filter(arguments.has)
        let layouts = [Option.raw, .pretty].filter(arguments.has)
        if let form = forms.first, let layout = layouts.first {
            throw Failure(.usage, "\(form.flag) and \(layout.flag) cannot be combined")
        }
        if forms.count > 1 { throw Failure(.usage, "\(forms[0].flag) and \(forms[1].flag) cannot be combined") }
        if isMany, let form = (forms + layouts).first, form != .events {
            throw Failure(.usage, "\(form.flag) takes only one NAME")
        }
        switch forms.first {
        case .diff: form = .differences
        case .plot: form = .plot
        default: form = isMany || forms.first == .events ? .events : .lines(Rendering(arguments))
        }
        style = Style(arguments)
    }

    /// Notes an event that is not printed, as the state from which changes start.
    mutating func skip(_ event: WatchEvent) {
        if case .value(let value) = event { old = value }
        hasBegun = true
    }

    /// Empty if there is nothing to print.
    mutating func bytes(_ event: WatchEvent, name: String) -> [UInt8] {
        switch (form, event) {
        case (.events, _): return EventLine.line(event, name: name)
        case (.lines(let rendering), .value(let value)): return rendering.line(value)
        case (.differences, .value(let value)): return Array(differences(to: value).utf8)
        case (.differences, .missing): return Array(differences(to: nil).utf8)
        case (.plot, .value(let value)): return Array(plot(value).utf8)
        default: return []
        }
    }

    /// What to report about the event on standard error.
    func complaint(_ event: WatchEvent, name: String) -> String? {
        if case .plot = form, case .value(let value) = event, Self.double(value) == nil {
            let shown = Excerpt.of(value, mostBytes: Self.mostComplained)
            return "\(name): \(shown) is not a number that --plot can draw; pick one with --at"
        }
        return Output.complaint(event, about: name)
    }

    // MARK: Differences

    private mutating func differences(to new: JSONValue?) -> String {
        defer {
            old = new
            hasBegun = true
        }
        if !hasBegun { return new.map { "\($0)\n" } ?? "" }
        return JSONDifference.all(from: old, to: new).map { difference in
            let parts = [
                difference.old.map { style.paint(difference.new == nil ? "- \($0)" : "\($0)", .red) },
                difference.new.map { style.paint(difference.old == nil ? "+ \($0)" : "\($0)", .green) },
            ]
            return "\(style.paint("\(difference.path):", .bold)) \(parts.compactMap(\.self).joined(separator: " → "))\n"
        }.joined()
    }

    // MARK: Plot

    private mutating func plot(_ value: JSONValue) -> String {
        guard let double = Self.double(value) else { return "" }
        sparkline.append(double)
        number = value.description
        isLineOpen = isTerminal
        return drawn()
    }

    private static func double(_ value: JSONValue) -> Double? {
        guard case .number(let number) = value, let double = Double(number.text), double.isFinite else { return nil }
        return double
    }

    /// Ends the line if it is open.
    mutating func ended() -> [UInt8] {
        defer { isLineOpen = false }
        return isLineOpen ? [UInt8(ascii: "\n")] : []
    }

    /// Draws the line again, for a window whose size has changed.
    func redrawn() -> [UInt8] {
        isLineOpen ? Array(drawn().utf8) : []
    }

    private func drawn() -> String {
        let columns = isTerminal ? StandardStream.output.windowSize?.columns ?? 80 : 80
        let label = DisplayWidth.fitted(number, min(max(8, number.utf8.count), max(1, columns / 2)))
        let text = "\(style.paint(label, .bold)) \(sparkline.text(width: columns - DisplayWidth.of(label) - 2))"
        return isTerminal ? "\r\(text)\u{1B}[K" : "\(text)\n"
    }
}
