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
    package static func decode(_ bytes: Span<UInt8>) -> [InotifyEvent] {
        unsafe bytes.withUnsafeBytes { unsafe decode($0) }
    }

    /// By words and not by bytes: this runs once for each change, and always in the cold.
    private static func decode(_ bytes: UnsafeRawBufferPointer) -> [InotifyEvent] {
        let headerSize = 16
        var events: [InotifyEvent] = []
        // What a name of up to 15 bytes takes: nearly always enough.
        events.reserveCapacity(min(bytes.count / (2 * headerSize) + 1, 64))
        // One name mostly comes several times in a row.
        var name: String?
        var nameField = 0..<0
        var start = 0
        while bytes.count - start >= headerSize {
            let length = Int(unsafe bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
            let field = (start + headerSize)..<(start + headerSize + length)
            guard field.upperBound <= bytes.count else { break }
            let isSame = unsafe bytes.isEqual(nameField, field)
            if !isSame || name == nil {
                name = unsafe bytes.paddedText(field)
                nameField = field
            }
            events.append(
                InotifyEvent(
                    watch: unsafe bytes.loadUnaligned(fromByteOffset: start, as: Int32.self),
                    mask: InotifyMask(rawValue: unsafe bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)),
                    name: name))
            start = field.upperBound
        }
        return events
    }
}

extension UnsafeRawBufferPointer {
    /// The text without the NUL bytes that the kernel pads it with; nil where there is none.
    fileprivate func paddedText(_ field: Range<Int>) -> String? {
        var end = field.upperBound
        while end > field.lowerBound, unsafe self[end - 1] == 0 { end -= 1 }
        if end == field.lowerBound { return nil }
        return unsafe String(decoding: self[field.lowerBound..<end], as: UTF8.self)
    }

    /// Names that are equal are padded equally.
    fileprivate func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        if left.count != right.count || left.count % 8 != 0 { return false }
        for offset in stride(from: 0, to: left.count, by: 8) {
            let leftWord = unsafe loadUnaligned(fromByteOffset: left.lowerBound + offset, as: UInt64.self)
            let rightWord = unsafe loadUnaligned(fromByteOffset: right.lowerBound + offset, as: UInt64.self)
            if leftWord != rightWord { return false }
        }
        return true
    }
}
