import Glibc

/// What is mounted where, as this process sees it: the kernel tells of each change of it.
package struct MountTable: ~Copyable, Sendable {
    private let file: FileDescriptor?
    /// -1, for which poll(2) does nothing, where the table cannot be opened: then nothing is told.
    fileprivate let rawValue: Int32

    /// What changes from now on is told, if /proc is mounted.
    package init() {
        do throws(Errno) {
            let file = try FileDescriptor.open("/proc/self/mountinfo", .readOnly)
            rawValue = file.rawValue
            self.file = consume file
        } catch {
            rawValue = -1
            file = nil
        }
    }
}

extension Timer {
    /// poll(2): blocks until the timer fires, or something is mounted or unmounted; true where it was that. May return
    /// early.
    package borrowing func wait(orChangeOf mounts: borrowing MountTable) -> Bool {
        var entries = [
            pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mounts.rawValue, events: Int16(POLLPRI), revents: 0),
        ]
        unsafe poll(&entries, nfds_t(entries.count), -1)
        // It would be ready for ever.
        if entries[0].revents != 0 { wait() }
        return entries[1].revents != 0
    }
}
