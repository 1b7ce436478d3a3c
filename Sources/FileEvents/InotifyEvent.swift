package import SystemCalls

/// One event as the kernel told it.
package struct InotifyEvent: Equatable, Sendable {
    /// The watch's number; -1 where the queue overflowed.
    package let watch: Int32
    package let mask: InotifyMask
    /// The name within the watched directory; nil where the event is about the directory itself.
    package let name: String?

    package init(watch: Int32, mask: InotifyMask, name: String?) {
        self.watch = watch
        self.mask = mask
        self.name = name
    }

    /// Decodes what read(2) put into a buffer. Pure; a record that is cut off ends the list.
    package static func decode(_ bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
        decode(bytes.span)
    }

    package static func decode(_ bytes: Span<UInt8>) -> [InotifyEvent] {
        let headerSize = 16
        var events: [InotifyEvent] = []
        // What a name of up to 15 bytes takes: nearly always enough.
        events.reserveCapacity(min(bytes.count / (2 * headerSize) + 1, 64))
        // One name mostly comes several times in a row.
        var name: String?
        var nameRange = 0..<0
        var start = 0
        while bytes.count - start >= headerSize {
            let length = Int(bytes.nativeUInt32(at: start + 12))
            let end = start + headerSize + length
            guard end <= bytes.count else { break }
            let range = bytes.range(from: start + headerSize, to: end)
            if range.isEmpty {
                name = nil
            } else if name == nil || !bytes.isEqual(nameRange, range) {
                name = unsafe bytes.extracting(range).withUnsafeBufferPointer {
                    unsafe String(decoding: $0, as: UTF8.self)
                }
            }
            nameRange = range
            events.append(
                InotifyEvent(
                    watch: Int32(bitPattern: bytes.nativeUInt32(at: start)),
                    mask: InotifyMask(rawValue: bytes.nativeUInt32(at: start + 4)),
                    name: name))
            start = end
        }
        return events
    }
}

extension Span<UInt8> {
    /// Put together byte by byte, in the machine's order: no unaligned load, no pointer.
    fileprivate func nativeUInt32(at index: Int) -> UInt32 {
        let value =
            UInt32(self[index]) | UInt32(self[index + 1]) << 8 | UInt32(self[index + 2]) << 16
            | UInt32(self[index + 3]) << 24
        return UInt32(littleEndian: value)
    }

    /// What is there without the NUL bytes that it is padded with.
    fileprivate func range(from start: Int, to limit: Int) -> Range<Int> {
        var end = start
        while end < limit, self[end] != 0 { end += 1 }
        return start..<end
    }

    fileprivate func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        if left.count != right.count { return false }
        for offset in 0..<left.count where self[left.lowerBound + offset] != self[right.lowerBound + offset] {
            return false
        }
        return true
    }
}
