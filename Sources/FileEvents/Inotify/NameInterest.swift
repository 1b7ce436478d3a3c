package import SystemCalls

/// Makes the kernel report more about the names in a directory, to all that watch the directory anyway: they share one
/// watch, whose mask is the union of what they want. This client itself ignores the events.
package final class NameInterest: WatchClient {
    private let mask: InotifyMask
    /// The watch that was extended. The hub is called under the lock; clients that it tells of a loss only
    /// schedule a look.
    private let watch = Guarded<Int32?>(nil)

    package init(_ mask: InotifyMask) {
        self.mask = mask
    }

    /// From now on these events are reported. True if they were not before: a caller that has looked already has to
    /// look again.
    package func begin(in path: String) -> Bool {
        watch.withLock { watch in
            do throws(Errno) {
                let (added, isNew) = try WatchHub.shared.add(path, WatchInterest(mask: mask), for: self)
                if let old = watch, old != added { WatchHub.shared.keep([:], among: [old], for: self) }
                watch = added
                return isNew
            } catch {
                // The directory is gone, or cannot be watched at all: its path watches poll, and try again later.
                return false
            }
        }
    }

    package func end() {
        watch.withLock { watch in
            if let old = watch.take() { WatchHub.shared.keep([:], among: [old], for: self) }
        }
    }

    func process(_ events: [InotifyEvent], lostEvents: Bool) {}
}
