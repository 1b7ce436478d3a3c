import Glibc

/// What is mounted where, as this process sees it. The kernel notifies of each change.
package struct MountTable: ~Copyable, Sendable {
    private let file: KeptDescriptor?
    /// Whether no descriptor was left for it, so that a table that is made later may do better.
    package let lacksDescriptor: Bool

    /// Changes from now on are reported, if /proc is mounted.
    package init() {
        do throws(Errno) {
            let path = "/proc/self/mountinfo"
            file = KeptDescriptor(
                owning: try performOpening(.open, path) { unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC) })
            lacksDescriptor = false
        } catch {
            file = nil
            lacksDescriptor = error.isWantOfDescriptors
        }
    }

    /// -1, which poll(2) ignores, if the table cannot be opened: then no change is reported.
    fileprivate var rawValue: Int32 {
        switch file {
        case let file?: file.rawValue
        case nil: -1
        }
    }
}

extension Timer {
    /// poll(2): blocks until the timer fires, or something is mounted or unmounted: true in that case. May return
    /// early. Throws at once if the program has closed one of the descriptors, or has put another file in its place.
    package borrowing func wait(orChangeOf mounts: borrowing MountTable) throws(Errno) -> Bool {
        var entries = [
            pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mounts.rawValue, events: Int16(POLLPRI), revents: 0),
        ]
        if unsafe poll(&entries, nfds_t(entries.count), -1) < 0 {
            // EINVAL: the process may open no descriptor any more (ulimit -n). It can still wait for the timer alone.
            if Errno.current != .interrupted { try wait() }
            return false
        }
        // Otherwise the timer would stay ready for ever.
        if entries[0].revents != 0 { try wait() }
        if entries[1].revents == 0 { return false }
        if entries[1].revents & Int16(POLLPRI) == 0 { throw .badDescriptor }
        return true
    }
}
