import SystemCalls
import TestSupport

@testable import FileEvents

/// Records the reports of a path watch, in order.
final class Recorder: PathWatchDelegate {
    enum Told: Equatable, Sendable {
        case event(InotifyMask, name: String)
        case everything

        var name: String? { if case .event(_, let name) = self { name } else { nil } }

        func isEvent(_ mask: InotifyMask) -> Bool {
            if case .event(let told, _) = self { told.contains(mask) } else { false }
        }
    }

    let log = Log<Told>()

    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?, isLeft: Bool) {
        for event in events { if let name = event.name { log.append(.event(event.mask, name: name)) } }
    }

    func everythingMayHaveChanged() { log.append(.everything) }
    func lookForChanges() -> Bool { false }

    /// The first report about this name.
    func first(_ name: String, _ mask: InotifyMask = []) async -> Told? {
        await log.first(within: .beforeTheHeartbeat) { $0.name == name && $0.isEvent(mask) }
    }
}

/// Records when a path watch looks.
final class Looks: PathWatchDelegate {
    let log = Log<ContinuousClock.Instant>()

    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?, isLeft: Bool) {}
    func everythingMayHaveChanged() {}

    func lookForChanges() -> Bool {
        log.append(.now)
        return false
    }
}

extension FileObserver {
    /// The events that the handler is called for from now on, in order. The handler does not retain the observer.
    func logEvents() -> Log<FileSystemEvent> {
        let log = Log<FileSystemEvent>()
        setEventHandler { [weak self] in log.append(self?.data ?? []) }
        return log
    }
}

extension EventBarrier {
    /// Returns once everything that has happened so far is delivered.
    static func passed() async {
        await withCheckedContinuation { passed in whenPassed { passed.resume() } }
    }
}
