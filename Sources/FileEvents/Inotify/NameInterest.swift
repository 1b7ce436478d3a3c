package import SystemCalls

/// Makes the kernel report more about the names in a directory to all clients that watch the directory anyway: they
/// share one watch, whose mask is the union of what they want. This client itself ignores the events.
package final class NameInterest: WatchClient {
    private let mask: InotifyMask
    /// The watch that was extended. The hub is called under this lock, which is safe: clients that the hub notifies of
    /// a possible loss only schedule a look.
    private let watch = Guarded<Int32?>(nil)

    package init(_ mask: InotifyMask) {
        self.mask = mask
    }

    /// Makes the kernel report these events from now on. True if it did not before: a caller that has looked already
    /// has to look again.
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
