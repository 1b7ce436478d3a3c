import FileEvents
import FoundationEssentials
import SystemCalls

/// `list --live`: a group's values in a table that keeps itself up to date.
///
/// 1. The container's names, and each value, are *watched*; a change *wakes* the main thread.
/// 2. The main thread *looks* at what there is, and *draws* it, no more often than eyes can follow.
/// 3. Without a change it *draws* again only when the text of an age changes.
struct LiveList {
    private static let shortestFrame = Duration.milliseconds(30)

    private let container: String
    private let loop: MainLoop
    private let style: Style
    private var screen: Screen
    private var values: [ExactName: LiveValue] = [:]

    init(_ container: String, _ arguments: Arguments) throws(Failure) {
        self.container = container
        loop = try MainLoop(drawsScreen: StandardStream.output.isScreen)
        style = Style(arguments)
        screen = Screen(loop)
    }

    func run() throws(Failure) {
        let names = NameWatch(loop)
        let watch = PathWatch(path: container, leaf: nil, watchesNewNames: true, delegate: names)
        defer { watch.cancel() }
        var list = self
        let result = Result { () throws(Failure) in try list.untilTheEnd() }
        let ending = Result { () throws(Failure) in try list.screen.giveBack() }
        // The reason for ending takes precedence over later errors: a terminal that is gone takes no more output.
        try result.get()
        try ending.get()
    }

    private mutating func untilTheEnd() throws(Failure) {
        while true {
            let drawn = Moment.now
            let next = try draw()
            var deadline = next.map { drawn + $0 }
            waiting: while true {
                switch try loop.wait(until: deadline) {
                case .ended(let signal, _): throw .signalled(signal)
                case .outputClosed: return
                case .timedOut: break waiting
                case .signal(.suspend):
                    try screen.giveBack()
                    try Signal.suspendThisProcess()
                    break waiting
                case .signal, .woken: deadline = min(deadline ?? drawn + Self.shortestFrame, drawn + Self.shortestFrame)
                }
            }
        }
    }

    /// Returns after which time the table would look different though no value has changed; nil if it never would.
    private mutating func draw() throws(Failure) -> Duration? {
        let names = try currentNames()
        let there = Set(names.map(ExactName.init))
        for name in values.keys where !there.contains(name) { values[name] = nil }
        var rows: [LiveTable.Row] = []
        for name in names {
            // Not within the call: that would copy all values for each new one.
            let cell = try value(name).cell
            rows.append(row(name, cell))
        }
        let table = LiveTable(
            title: "\(container): \(rows.count == 1 ? "1 value" : "\(rows.count) values")", rows: rows)
        let size = screen.size
        try screen.draw(table.lines(size, style))
        return size == nil ? nil : table.nextChange(size)
    }

    /// Empty if there is no container yet.
    private func currentNames() throws(Failure) -> [String] {
        do throws(Failure) {
            return try ListCommand.names(in: container)
        } catch {
            if error.code == ExitCode.noSuchValue.rawValue { return [] }
            throw error
        }
    }

    private mutating func value(_ name: String) throws(Failure) -> LiveValue {
        if let value = values[ExactName(name)] { return value }
        let value = try LiveValue(Location(name, in: container), loop)
        values[ExactName(name)] = value
        return value
    }

    private func row(_ name: String, _ cell: LiveTable.Cell) -> LiveTable.Row {
        do throws(Errno) {
            let status = try Path.linkStatus(of: "\(container)/\(name)")
            let age = max(0, Date.now.timeIntervalSince1970 - Double(status.modified) / 1e9)
            return LiveTable.Row(name: name, value: cell, age: .seconds(age), size: status.size)
        } catch {
            // The value was removed just now; the next frame is without it.
            return LiveTable.Row(name: name, value: cell, age: nil, size: 0)
        }
    }
}

/// Wakes the loop when names in the container come or go.
private final class NameWatch: PathWatchDelegate {
    private let loop: MainLoop

    init(_ loop: MainLoop) {
        self.loop = loop
    }

    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?) { loop.wake() }
    func everythingMayHaveChanged() { loop.wake() }

    func lookForChanges() -> Bool {
        loop.wake()
        return true
    }
}
