import GroupFiles
import Observables
import SystemCalls

/// The values that a command watches until something ends it: hands what each holds now, then its changes, to the main
/// thread.
///
/// 1. The library *offers* states on its threads. The newest of each value is kept, and whether it was missing
///    meanwhile.
/// 2. The main thread is *woken*, and *takes* them.
final class WatchedValues: Sendable {
    let locations: [Location]
    private let loop: MainLoop
    private let files: [GroupFile<JSONDocument>]
    /// Guards what was offered and not taken yet, by the value's index.
    private let offered = Guarded<[Int: Snapshot]>([:])
    private let subscriptions = Guarded<[Subscription]>([])

    init(_ locations: [Location], _ loop: MainLoop) throws(Failure) {
        self.locations = locations
        self.loop = loop
        var files: [GroupFile<JSONDocument>] = []
        for location in locations { files.append(try location.openForReading(notifies: true)) }
        self.files = files
    }

    /// The state now. Content that does not decode may be half written: then this waits until its writer is done.
    func look(at index: Int) -> Snapshot {
        let file = files[index]
        if case .invalid = file.status {
            do throws(GroupFileError) { _ = try file.read() } catch {}  // The status has the error.
        }
        return Snapshot(file.state)
    }

    /// Starts to offer what has changed since ``look(at:)``; the first of it may be what was seen then.
    func begin() {
        for (index, file) in files.enumerated() {
            let subscription = file.sinkStates { [weak self] state in self?.offer(Snapshot(state), index) }
            subscriptions.withLock { $0.append(subscription) }
        }
    }

    private func offer(_ snapshot: Snapshot, _ index: Int) {
        offered.withLock { offered in
            var snapshot = snapshot
            if let skipped = offered[index] { snapshot.wasMissing = skipped.wasMissing || skipped.status == .missing }
            offered[index] = snapshot
        }
        loop.wake()
    }

    /// What was offered since the last time, by index.
    func take() -> [(index: Int, snapshot: Snapshot)] {
        let taken = offered.withLock { offered in
            defer { offered = [:] }
            return offered
        }
        return taken.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
