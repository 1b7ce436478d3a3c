import Glibc

/// An inotify descriptor. See inotify(7).
package struct Inotify: ~Copyable, Sendable {
    private let descriptor: KeptDescriptor

    /// inotify_init1(2). Fails with EMFILE if the user has no instance left.
    package init() throws(Errno) {
        descriptor = KeptDescriptor(
            owning: try performOpening(.inotify_init1) { inotify_init1(Int32(IN_CLOEXEC)) })
    }

    /// inotify_add_watch(2): the watch's number, the same for every path to one directory.
    package borrowing func add(_ path: String, mask: InotifyMask) throws(Errno) -> Int32 {
        let raw = descriptor.rawValue
        return try perform(.inotify_add_watch, path) { unsafe inotify_add_watch(raw, path, mask.rawValue) }
    }

    /// inotify_rm_watch(2). Queues IN_IGNORED, and so wakes the reader.
    package borrowing func remove(_ watch: Int32) throws(Errno) {
        let raw = descriptor.rawValue
        try perform(.inotify_rm_watch, "\(watch)") { inotify_rm_watch(raw, watch) }
    }

    /// poll(2): whether something has happened that was not read. False if that cannot be determined.
    package var hasEvents: Bool {
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        do throws(Errno) { return try perform(.poll) { unsafe poll(&entry, 1, 0) } > 0 } catch { return false }
    }

    /// read(2): blocks until something has happened. Returns the length of the events at the start of `buffer`. Fails
    /// with EBADF if the program has closed the descriptor, or has put another file in its place.
    package borrowing func read(into buffer: inout [UInt8]) throws(Errno) -> Int {
        // Otherwise this might take the ringing of a timer that has got its number.
        if !descriptor.isOurs { throw .badDescriptor }
        let raw = descriptor.rawValue
        var span = buffer.mutableSpan
        let count = try unsafe span.withUnsafeMutableBytes { buffer throws(Errno) in
            try perform(.read, bytes: buffer.count, "inotify") { unsafe Glibc.read(raw, buffer.baseAddress, $0) }
        }
        // An inotify descriptor has no end: this is another file.
        if count == 0 { throw .badDescriptor }
        return count
    }
}
