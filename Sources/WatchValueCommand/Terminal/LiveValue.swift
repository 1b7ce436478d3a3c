import GroupFiles
import JSONText
import Observables
import SystemCalls

/// A value in the table of `list --live`. What is shown of it is made when it has changed, and not for each frame.
///
/// 1. A change *forgets* what was made, on a thread of the library, and *wakes* the loop.
/// 2. Whoever draws *takes* what was made, or *makes* it: outside of the lock.
final class LiveValue: Sendable {
    private struct State {
        /// Nil where it has changed since.
        var cell: LiveTable.Cell?
        var changes: UInt64 = 0
        var subscription: Subscription?
    }

    /// In bytes: more than a line of a terminal has room for.
    private static let mostShown = 2048

    private let file: GroupFile<JSONDocument>
    /// Guards all that changes.
    private let state = Guarded(State())

    /// Wakes the loop when it changes.
    init(_ location: Location, _ loop: MainLoop) throws(Failure) {
        file = try location.openForReading(notifies: true)
        let subscription = file.sinkStates { [weak self] _ in
            self?.hasChanged()
            loop.wake()
        }
        state.withLock { $0.subscription = subscription }
    }

    private func hasChanged() {
        state.withLock { state in
            state.cell = nil
            state.changes += 1
        }
    }

    var cell: LiveTable.Cell {
        let (known, changes) = state.withLock { ($0.cell, $0.changes) }
        if let known { return known }
        let cell = makeCell()
        // What has changed meanwhile is for the next frame.
        state.withLock { state in
            if state.changes == changes { state.cell = cell }
        }
        return cell
    }

    /// Cut first, and only then made fit for a line and measured.
    private func makeCell() -> LiveTable.Cell {
        if case .invalid(let error) = file.status {
            return LiveTable.Cell(Self.line(Array(error.sentence.utf8.prefix(Self.mostShown + 1))), isBad: true)
        }
        let text = file.value.value.map { JSONPrinter(limit: Self.mostShown + 1).bytes(of: $0) } ?? []
        return LiveTable.Cell(Self.line(text), isBad: false)
    }

    private static func line(_ text: [UInt8]) -> String {
        if text.count <= mostShown { return String(decoding: text, as: UTF8.self).oneLine }
        // Not within a scalar.
        let end = text[...mostShown].lastIndex { $0 & 0xC0 != 0x80 } ?? 0
        return String(decoding: text[..<end], as: UTF8.self).oneLine + "…"
    }
}
