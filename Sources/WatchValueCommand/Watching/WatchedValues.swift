import GroupFiles
import Observables
import SystemCalls

/// The values that a command watches until something ends it. Hands the main thread what each value holds now, then its
/// changes.
///
/// 1. Another thread *opens* the values, and *looks* at them: a file system may not answer.
/// 2. The library *offers* states on its threads. The newest of each value is kept, and whether it was missing
///    meanwhile.
/// 3. The main thread is *woken*, and *takes* them.
final class WatchedValues: Sendable {
    /// How long a file system may take to answer, however little time the command has.
    private static let shortestOpening = Duration.seconds(5)

    /// The values when they were opened, and what the user may have meant by a name that has no value.
    let initial: [(snapshot: Snapshot, hint: String?)]
    private let loop: MainLoop
    private let files: [GroupFile<JSONDocument>]
    /// Guards what was offered and not taken yet, by the value's index.
    private let offered = Guarded<[Int: Snapshot]>([:])
    /// Cancelled when they are released. Guarded by its lock.
    private let subscriptions = Guarded<[Subscription]>([])

    /// Throws if opening takes longer than `timeout`.
    static func open(
        _ locations: [Location], _ loop: MainLoop, _ arguments: Arguments, within timeout: Duration?
    ) throws(Failure) -> WatchedValues {
        let late = Failure.timedOut(
            arguments, "; the file system does not answer", about: locations.map(\.name).joined(separator: ", "))
        let deadline = timeout.map { (Moment.now + max($0, shortestOpening), late) }
        return try Interruptible(loop).look(until: deadline) { () throws(Failure) in
            try WatchedValues(locations, loop, arguments)
        }
    }

    private init(_ locations: [Location], _ loop: MainLoop, _ arguments: Arguments) throws(Failure) {
        self.loop = loop
        var files: [GroupFile<JSONDocument>] = []
        for location in locations { files.append(try location.openForReading(notifies: true)) }
        self.files = files
        initial = zip(locations, files).map { location, file in
            let snapshot = Self.look(at: file)
            return (snapshot, snapshot.status == .missing ? Hint.text(for: location, arguments) : nil)
        }
    }

    /// The state now. Content that does not decode may be half written: then this waits until its writer is done.
    private static func look(at file: GroupFile<JSONDocument>) -> Snapshot {
        if case .invalid = file.status {
            do throws(GroupFileError) { _ = try file.read() } catch {}  // The status has the error.
        }
        return Snapshot(file.state)
    }

    /// Starts to offer what has changed since the values were opened; the first offer may be what was seen then.
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
        let taken = offered.withLock { exchange(&$0, with: [:]) }
        return taken.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
