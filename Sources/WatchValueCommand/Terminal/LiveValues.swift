import FileEvents
import FoundationEssentials
import GroupFiles
import SystemCalls

/// The values of a container in the table of `list --live`, each opened when it is first seen.
///
/// Any call may wait for a file system, so one thread at a time asks for the rows, and not the main thread.
final class LiveValues: Sendable {
    private struct State {
        var values: [ExactName: LiveValue] = [:]
        /// Wakes the main thread when names come or go.
        var names: PathWatch?
    }

    private let container: String
    private let waker: FrameWaker
    /// Nothing is opened under it.
    private let state = Guarded(State())

    init(in container: String, _ loop: MainLoop) {
        self.container = container
        waker = FrameWaker(loop)
    }

    func cancel() {
        state.withLock(\.names)?.cancel()
    }

    /// Since ``rows()`` began.
    var haveChanged: Bool { waker.hasWoken }

    func rows() throws(Failure) -> [LiveTable.Row] {
        waker.begin()
        watchNames()
        let names = try currentNames()
        let there = Set(names.map(ExactName.init))
        // Values that are gone are closed outside of the lock.
        _ = state.withLock { state in
            let gone = state.values.filter { !there.contains($0.key) }
            for name in gone.keys { state.values[name] = nil }
            return gone
        }
        var rows: [LiveTable.Row] = []
        for name in names { rows.append(row(name, try value(name).cell)) }
        return rows
    }

    private func watchNames() {
        if state.withLock({ $0.names != nil }) { return }
        let watch = PathWatch(path: container, leaf: nil, watchesNewNames: true, delegate: waker)
        state.withLock { $0.names = watch }
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

    private func value(_ name: String) throws(Failure) -> LiveValue {
        if let value = state.withLock({ $0.values[ExactName(name)] }) { return value }
        let value = try LiveValue(Location(name, in: container), waker)
        state.withLock { $0.values[ExactName(name)] = value }
        return value
    }

    private func row(_ name: String, _ cell: LiveTable.Cell) -> LiveTable.Row {
        let shown = name.oneLine
        do throws(Errno) {
            let status = try Path.linkStatus(of: "\(container)/\(name)")
            let age = Date.now.timeIntervalSince1970 - Double(status.modified) / 1e9
            return LiveTable.Row(name: shown, value: cell, age: .seconds(age), size: status.size)
        } catch {
            // The value was removed just now; the next frame is without it.
            return LiveTable.Row(name: shown, value: cell, age: nil, size: 0)
        }
    }
}
