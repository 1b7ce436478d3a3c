import CSystemCalls
import Glibc

/// An open file of this process. Closed when it goes out of scope, close-on-exec from birth.
package struct FileDescriptor: ~Copyable, Sendable {
    package let rawValue: Int32

    /// Takes over a descriptor that nobody else closes.
    init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// close(2). Its result is ignored: nothing that matters is left unsynced by then, and the descriptor is gone in
    /// any case.
    deinit {
        _ = SystemCallTap.isInstalled ? SystemCallTap.fault(.close, "\(rawValue)") : .none
        _ = Glibc.close(rawValue)
    }

    /// open(2), close-on-exec.
    package static func open(
        _ path: String, _ flags: OpenFlags, permissions: UInt32 = 0
    ) throws(Errno) -> FileDescriptor {
        FileDescriptor(
            owning: try performOpening(.open, path) {
                unsafe path.withCString { unsafe Glibc.open($0, flags.rawValue | O_CLOEXEC, permissions) }
            })
    }

    /// memfd_create(2): a file without a name that holds these bytes, to be read from the start.
    package static func holding(_ bytes: [UInt8]) throws(Errno) -> FileDescriptor {
        let file = FileDescriptor(owning: try perform(.memfd_create) { unsafe cs_memfd_create("value") })
        try file.writeAll(bytes)
        let raw = file.rawValue
        try perform(.lseek, "\(raw)") { Int32(clamping: lseek(raw, 0, SEEK_SET)) }
        return file
    }

    /// fstat(2).
    package borrowing func status() throws(Errno) -> FileStatus {
        try FileStatus.of(descriptor: rawValue)
    }

    private static let page = 4096
    /// The most room that is made in advance: for a file that claims to be larger, more is made as it is read.
    private static let mostAtOnce = 64 << 20

    /// pread(2) from start to end, but no more than `limit` + 1 bytes, so that a longer file is noticed. Fails with
    /// ESPIPE if the file has no offsets, like a FIFO; with `hasPlaces` false it is read(2), from the current position.
    ///
    /// `expected` is the size that stat(2) returned: a regular file of that size takes one call.
    package borrowing func readToEnd(expected: Int, limit: Int, hasPlaces: Bool = true) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        // Files of /proc have a size of 0, and some give everything to the first read, or nothing.
        var wanted = expected > 0 ? expected : Self.page
        while true {
            let rest = limit - bytes.count
            if rest < 0 { return bytes }
            let room = min(wanted, rest, Self.mostAtOnce) + 1
            let offset = hasPlaces ? bytes.count : nil
            let chunk =
                try room <= Self.page
                ? readBySmallBuffer(room, at: offset) : Self.readByOwnBuffer(rawValue, room, at: offset)
            if chunk.isEmpty { return bytes }
            let isShort = chunk.count < room
            // The bytes that are kept must take no more room than they need.
            if bytes.isEmpty, expected > 0 { bytes = chunk } else { bytes += chunk }
            // A short read, and as many bytes as expected: the end. A file system may return short reads before that.
            if isShort, expected > 0, bytes.count >= expected { return bytes }
            wanted = max(Self.page, bytes.count)
        }
    }

    /// Reads into a buffer on the stack: an array's own buffer is made by code that is not specialized.
    private borrowing func readBySmallBuffer(_ room: Int, at offset: Int?) throws(Errno) -> [UInt8] {
        let descriptor = rawValue
        return try unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { buffer throws(Errno) in
            let count = try unsafe Self.read(descriptor, into: buffer.baseAddress, room, at: offset)
            return unsafe Array(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// pread(2); read(2) where there is no offset.
    private static func read(
        _ descriptor: Int32, into start: UnsafeMutableRawPointer?, _ room: Int, at offset: Int?
    ) throws(Errno) -> Int {
        guard let offset else {
            return try perform(.read, bytes: room, "\(descriptor)") { unsafe Glibc.read(descriptor, start, $0) }
        }
        return try perform(.pread, bytes: room, "\(descriptor)") {
            unsafe pread(descriptor, start, $0, off_t(offset))
        }
    }

    private static func readByOwnBuffer(
        _ descriptor: Int32, _ room: Int, at offset: Int?
    ) throws(Errno) -> [UInt8] {
        var failure: Errno?
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            do throws(Errno) {
                count = try unsafe read(descriptor, into: buffer.baseAddress, room, at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return chunk
    }

    /// read(2), from a descriptor that somebody else owns: what is available, up to `most` bytes; empty at the end.
    package static func readSome(_ descriptor: Int32, most: Int) throws(Errno) -> [UInt8] {
        try readByOwnBuffer(descriptor, most, at: nil)
    }

    /// write(2), until everything is written.
    package borrowing func writeAll(_ bytes: [UInt8]) throws(Errno) {
        var start = 0
        while start < bytes.count {
            start += try Self.writeSome(rawValue, bytes, from: start, most: .max)
        }
    }

    /// write(2), to a descriptor that somebody else may own: from `start` on, up to `most` bytes. Returns how many.
    static func writeSome(_ descriptor: Int32, _ bytes: [UInt8], from start: Int, most: Int) throws(Errno) -> Int {
        try unsafe bytes.span.bytes.withUnsafeBytes { buffer throws(Errno) in
            try perform(.write, bytes: min(buffer.count - start, most), "\(descriptor)") {
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, $0)
            }
        }
    }

    /// fchmod(2).
    package borrowing func setPermissions(_ permissions: UInt32) throws(Errno) {
        let descriptor = rawValue
        try perform(.fchmod, "\(descriptor)") { fchmod(descriptor, permissions) }
    }

    /// futimens(3) of the modification time, in nanoseconds since 1970.
    package borrowing func setModified(_ nanoseconds: Int64) throws(Errno) {
        let descriptor = rawValue
        let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
        // The time of access stays: UTIME_OMIT.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))]
        _ = try unsafe times.withUnsafeBufferPointer { times throws(Errno) in
            try perform(.futimens, "\(descriptor)") { unsafe futimens(descriptor, times.baseAddress) }
        }
    }

    /// fsync(2). Never retry it after a failure: the kernel may have dropped the pages, and would then report success.
    package borrowing func sync() throws(Errno) {
        let descriptor = rawValue
        try perform(.fsync, "\(descriptor)") { fsync(descriptor) }
    }

    /// ftruncate(2).
    package borrowing func truncate(to size: Int) throws(Errno) {
        let descriptor = rawValue
        try perform(.ftruncate, "\(descriptor)") { ftruncate(descriptor, off_t(size)) }
    }

    /// pread(2) from the start: up to `count` bytes of a file. Fails with ESPIPE if it has no offsets, like a FIFO.
    package borrowing func readStart(_ count: Int) throws(Errno) -> [UInt8] {
        try readBySmallBuffer(count, at: 0)
    }

    /// pwrite(2) at the start. A short count is an error of its own here: what is written this way is tiny.
    package borrowing func writeStart(_ bytes: [UInt8]) throws(Errno) {
        let descriptor = rawValue
        let moved = try unsafe bytes.span.bytes.withUnsafeBytes { buffer throws(Errno) in
            try perform(.pwrite, bytes: buffer.count, "\(descriptor)") {
                unsafe pwrite(descriptor, buffer.baseAddress, $0, 0)
            }
        }
        if moved < bytes.count { throw .noSpace }
    }

    /// fchown(2).
    package borrowing func setOwner(_ owner: UInt32, group: UInt32) throws(Errno) {
        let descriptor = rawValue
        try perform(.fchown, "\(descriptor)") { fchown(descriptor, owner, group) }
    }

    /// fchown(2) of the group alone: an owner may choose any group that the owner is in.
    package borrowing func setGroup(_ group: UInt32) throws(Errno) {
        try setOwner(.max, group: group)
    }
}
