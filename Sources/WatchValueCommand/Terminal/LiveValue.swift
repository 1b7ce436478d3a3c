import GroupFiles
import Observables
import SystemCalls

/// A value in the table of `list --live`. Its cell is made when the value has changed, and not for each frame.
///
/// 1. A change *drops* the cell, on a thread of the library, and *wakes* the main thread.
/// 2. The main thread *takes* the cell to draw it, or *makes* it, outside the lock.
final class LiveValue: Sendable {
    private struct State {
        /// Nil if it is not made, or if the value has changed since.
        var cell: LiveTable.Cell?
        var changes: UInt64 = 0
        var subscription: Subscription?
    }

    /// In bytes: more than a line of a terminal has room for.
    private static let mostShown = 2048

    private let file: GroupFile<JSONDocument>
    /// Guards all that changes.
    private let state = Guarded(State())

    /// Wakes the main thread when it changes.
    init(_ location: Location, _ waker: FrameWaker) throws(Failure) {
        file = try location.openForReading(notifies: true)
        let subscription = file.sinkStates { [weak self] _ in
            self?.hasChanged()
            waker.wake()
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
        // If the value has changed meanwhile, the next frame makes it again.
        state.withLock { state in
            if state.changes == changes { state.cell = cell }
        }
        return cell
    }

    /// Cuts the text first, so that only what is shown is made fit for a line and measured.
    private func makeCell() -> LiveTable.Cell {
        let state = file.state
        if case .invalid(let error) = state.status {
            return LiveTable.Cell(Excerpt.of(Array(error.sentence.utf8)[...], mostBytes: Self.mostShown), isBad: true)
        }
        return LiveTable.Cell(state.value.value.map { Excerpt.of($0, mostBytes: Self.mostShown) } ?? "", isBad: false)
    }
}
