/// The names of the latest events. Nearly always the next name is one of them, and need not be created or validated
/// again.
struct NameCache: Sendable {
    private struct Entry {
        /// As the kernel gave it, padded with NUL bytes.
        let field: [UInt64]
        let name: String

        /// Compares words, not bytes: this runs for each change, and always with cold caches.
        func isOf(_ other: UnsafeRawBufferPointer) -> Bool {
            if field.count * 8 != other.count { return false }
            for index in field.indices {
                let word = unsafe other.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
                if word != field[index] { return false }
            }
            return true
        }
    }

    private static let capacity = 4

    private var entries: [Entry] = []
    private var oldest = 0

    /// The name in an event's last field; nil if there is none, empty if it is not UTF-8.
    mutating func name(in field: UnsafeRawBufferPointer) -> String? {
        if field.count == 0 { return nil }
        for entry in entries {
            if unsafe entry.isOf(field) { return entry.name }
        }
        guard let name = unsafe field.paddedText else { return nil }
        // A length that is no multiple of eight does not come from the kernel.
        if field.count % 8 != 0 { return name }
        let entry = Entry(field: unsafe field.words, name: name)
        if entries.count < Self.capacity {
            entries.append(entry)
        } else {
            entries[oldest] = entry
            oldest = (oldest + 1) % Self.capacity
        }
        return name
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var words: [UInt64] {
        stride(from: 0, to: count, by: 8).map { unsafe loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
    }

    /// The text without the NUL bytes that the kernel pads it with; nil if there is none, empty if it is not UTF-8.
    fileprivate var paddedText: String? {
        var end = count
        while end > 0, unsafe self[end - 1] == 0 { end -= 1 }
        return end == 0 ? nil : unsafe String(validating: self[..<end], as: UTF8.self) ?? ""
    }
}
