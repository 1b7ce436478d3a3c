package import SystemCalls

/// Has the kernel tell more of the names in a directory: to whoever watches the directory anyway, because all share one
/// watch, whose mask is the union of what they want. This one itself does nothing.
package final class NameInterest: WatchClient {
    private let mask: InotifyMask
    /// The watch that was asked for it. Under the lock the hub is asked, which calls nobody.
    private let watch = Guarded<Int32?>(nil)

    package init(_ mask: InotifyMask) {
        self.mask = mask
    }

    /// From here on it is told. True where it was not before: whoever had looked already has to look again.
    package func begin(in path: String) -> Bool {
        watch.withLock { watch in
            do throws(Errno) {
                let (added, isNew) = try WatchHub.shared.add(path, WatchInterest(mask: mask), for: self)
                if let old = watch, old != added { WatchHub.shared.keep([:], among: [old], for: self) }
                watch = added
                return isNew
            } catch {
                // It is not there any more, or cannot be watched at all: who follows the path polls, and begins anew later.
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
