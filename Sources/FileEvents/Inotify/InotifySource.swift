import Synchronization
import SystemCalls

/// An inotify descriptor that a thread of the pool reads.
final class InotifySource: EventSource {
    let inotify: Inotify
    private let hub: WatchHub
    /// Held while the reader rests, and while read(2) blocks; but only the reader takes it, so nobody waits for it.
    private let reading = Guarded(Reading())

    private struct Reading {
        private var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        private var names = NameCache()
        private var pace = ReadingPace()
        private static let longestEvent = 272
        /// Shared by all sources, because one may follow another.
        private static let lastNumber = Atomic<UInt64>(0)

        mutating func next(from inotify: borrowing Inotify) throws(Errno) -> [InotifyEvent] {
            if pace.rests { Thread.sleep(for: .nanoseconds(ReadingPace.rest)) }
            let count = try inotify.read(into: &buffer)
            // The names are taken out meanwhile, because the buffer's span borrows all of `self`.
            var names = NameCache()
            swap(&names, &self.names)
            var events = InotifyEvent.decode(buffer.span.extracting(first: count), names: &names)
            swap(&names, &self.names)
            let end = Self.lastNumber.add(UInt64(events.count), ordering: .relaxed).newValue
            for index in events.indices { events[index].number = end - UInt64(events.count - 1 - index) }
            pace.noteRead(
                events: events.count, isFull: count > buffer.count - Self.longestEvent, at: .now)
            return events
        }
    }

    init(hub: WatchHub) throws(Errno) {
        CurrentProcess.watchForFork()
        inotify = try Inotify()
        self.hub = hub
    }

    func readEvents() -> Bool {
        let events: [InotifyEvent]
        do throws(Errno) {
            events = try reading.withLock { reading throws(Errno) in try reading.next(from: inotify) }
        } catch {
            hub.fail(self)
            return false
        }
        return Thread.delivering { hub.route(events, from: self) }
    }

    func mountsChanged() {
        hub.mountsChanged()
    }

    func wakeReader() {
        // If this fails, the reader looks for jobs after its next event.
        do throws(Errno) { _ = try markQueue(.news) } catch {}
    }

    /// What a mark is for, and the directory that is watched for it, which no client watches. Each has one of its own:
    /// otherwise one thread would remove the watch that another has just added.
    enum Mark: String {
        case news = "/proc/self/task"
        case barrier = "/proc/self/fdinfo"
    }

    /// Marks the end of the queue: adding and removing a watch leaves IN_IGNORED there. Returns the watch's number.
    func markQueue(_ mark: Mark) throws(Errno) -> Int32 {
        let watch = try inotify.add(mark.rawValue, mask: .deleteSelf)
        try inotify.remove(watch)
        return watch
    }
}
