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
        let headerSize = 16
        var events: [InotifyEvent] = []
        // What a name of up to 15 bytes takes: nearly always enough.
        events.reserveCapacity(min(bytes.count / (2 * headerSize) + 1, 64))
        var start = bytes.startIndex
        while bytes.endIndex - start >= headerSize {
            let length = Int(bytes.nativeUInt32(at: start + 12))
            let end = start + headerSize + length
            guard end <= bytes.endIndex else { break }
            // The name is padded with NUL.
            let name = bytes[(start + headerSize)..<end].prefix { $0 != 0 }
            events.append(
                InotifyEvent(
                    watch: Int32(bitPattern: bytes.nativeUInt32(at: start)),
                    mask: InotifyMask(rawValue: bytes.nativeUInt32(at: start + 4)),
                    name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self)))
            start = end
        }
        return events
    }
}

extension ArraySlice<UInt8> {
    /// Put together byte by byte, in the machine's order: no unaligned load, no pointer.
    fileprivate func nativeUInt32(at index: Int) -> UInt32 {
        let value =
            UInt32(self[index]) | UInt32(self[index + 1]) << 8 | UInt32(self[index + 2]) << 16
            | UInt32(self[index + 3]) << 24
        return UInt32(littleEndian: value)
    }
}
