package import SystemCalls

/// One event as the kernel reported it.
package struct InotifyEvent: Equatable, Sendable {
    /// The watch's number; -1 if the queue overflowed.
    package let watch: Int32
    package let mask: InotifyMask
    /// The name within the watched directory; nil if the event is about the directory itself. Empty, which no real name
    /// is, if the name is not UTF-8: a repaired name would be another file's.
    package let name: String?

    /// Its place in the order in which this process has read events, from 1; 0 if it was not read. One event may reach
    /// a file through several clients that watch it.
    package var number: UInt64 = 0

    package init(watch: Int32, mask: InotifyMask, name: String?) {
        self.watch = watch
        self.mask = mask
        self.name = name
    }

    /// Decodes what read(2) put into a buffer. A truncated record ends the list.
    static func decode(_ bytes: Span<UInt8>, names: inout NameCache) -> [InotifyEvent] {
        unsafe bytes.withUnsafeBytes { unsafe decode($0, &names) }
    }

    private static func decode(_ bytes: UnsafeRawBufferPointer, _ names: inout NameCache) -> [InotifyEvent] {
        let headerSize = 16
        var events: [InotifyEvent] = []
        // Assumes names of up to 15 bytes: nearly always enough.
        events.reserveCapacity(min(bytes.count / (2 * headerSize) + 1, 64))
        var start = 0
        while bytes.count - start >= headerSize {
            let length = Int(unsafe bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
            let end = start + headerSize + length
            if end > bytes.count { break }
            defer { start = end }
            let name = unsafe names.name(in: UnsafeRawBufferPointer(rebasing: bytes[(start + headerSize)..<end]))
            events.append(
                InotifyEvent(
                    watch: unsafe bytes.loadUnaligned(fromByteOffset: start, as: Int32.self),
                    mask: InotifyMask(rawValue: unsafe bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)),
                    name: name))
        }
        return events
    }
}
