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

        mutating func next(from inotify: borrowing Inotify) throws(Errno) -> [InotifyEvent] {
            if pace.rests { Thread.sleep(for: .nanoseconds(ReadingPace.rest)) }
            let count = try inotify.read(into: &buffer)
            // The buffer's span borrows all of `self`.
            var names = NameCache()
            swap(&names, &self.names)
            let events = InotifyEvent.decode(buffer.span.extracting(first: count), names: &names)
            swap(&names, &self.names)
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
        return hub.route(events, from: self)
    }

    func mountsChanged() {
        hub.mountsChanged()
    }

    /// Adding and removing a watch leaves IN_IGNORED in the queue.
    func wakeReader() {
        // Where that cannot be done, the reader looks for jobs after its next event.
        do throws(Errno) { try inotify.remove(try inotify.add(Self.unwatched, mask: .deleteSelf)) } catch {}
    }

    /// A directory that nobody watches, and by which the hub marks no place in the queue.
    private static let unwatched = "/proc/self/task"
}
