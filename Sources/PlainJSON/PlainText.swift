/// A buffer of text that grows.
@safe final class PlainText {
    private var bytes: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init() {
        unsafe bytes = .allocate(capacity: 256)
    }

    deinit {
        unsafe bytes.deallocate()
    }

    /// Appends a newline, and returns all of the text.
    func line() -> [UInt8] {
        put(UInt8(ascii: "\n"))
        return unsafe Array(UnsafeBufferPointer(rebasing: bytes[..<count]))
    }

    func put(_ byte: UInt8) {
        reserve(1)
        unsafe bytes[count] = byte
        count += 1
    }

    func put(_ word: StaticString) {
        let length = word.utf8CodeUnitCount
        reserve(length)
        for offset in 0..<length { unsafe bytes[count + offset] = word.utf8Start[offset] }
        count += length
    }

    /// Appends a string in quotes; false if it needs escapes, or is a key beyond ASCII, where one string has several
    /// spellings.
    func put(quoted string: String, isKey: Bool = false) -> Bool {
        let text = string.utf8Span
        return put(quoted: text.span, isKey: isKey)
    }

    private func put(quoted text: Span<UInt8>, isKey: Bool) -> Bool {
        reserve(text.count + 2)
        let bytes = unsafe bytes
        let quote = UInt8(ascii: "\"")
        unsafe bytes[count] = quote
        var end = count + 1
        var all: UInt8 = 0
        for offset in text.indices {
            let byte = text[offset]
            if byte < 0x20 || byte == quote || byte == UInt8(ascii: "\\") { return false }
            all |= byte
            unsafe bytes[end] = byte
            end += 1
        }
        if isKey, all >= 0x80 { return false }
        unsafe bytes[end] = quote
        count = end + 1
        return true
    }

    func put(_ magnitude: UInt64, isNegative: Bool) {
        if isNegative { put(UInt8(ascii: "-")) }
        let most = 20
        reserve(most)
        let bytes = unsafe bytes
        let end = count + most
        var start = end
        var rest = magnitude
        repeat {
            start -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            unsafe bytes[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = quotient
        } while rest > 0
        count = copy(start..<end, to: count)
    }

    /// Appends a number's description; false if it has an exponent.
    func put(description: String) -> Bool {
        let text = description.utf8Span
        return put(digits: text.span)
    }

    private func put(digits text: Span<UInt8>) -> Bool {
        reserve(text.count)
        let bytes = unsafe bytes
        var end = count
        for offset in text.indices {
            let byte = text[offset]
            guard byte <= UInt8(ascii: "9") else { return false }
            unsafe bytes[end] = byte
            end += 1
        }
        let isWhole =
            unsafe end - count > 2 && bytes[end - 1] == UInt8(ascii: "0") && bytes[end - 2] == UInt8(ascii: ".")
        count = isWhole ? end - 2 : end
        return true
    }

    /// Whether the first text comes before the second, byte by byte.
    func precedes(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        let bytes = unsafe bytes
        for offset in 0..<min(first.count, second.count) {
            let (one, other) = unsafe (bytes[first.lowerBound + offset], bytes[second.lowerBound + offset])
            if one != other { return one < other }
        }
        return first.count < second.count
    }

    subscript(range: Range<Int>) -> String {
        unsafe String(decoding: bytes[range], as: UTF8.self)
    }

    /// Puts the parts into another order. They make up all of the text from `start` on, except for one byte between
    /// each two.
    func arrange(_ parts: UnsafeMutableBufferPointer<PlainMember>, from start: Int) {
        let length = count - start
        reserve(length)
        var place = count
        for index in parts.indices {
            let part = unsafe parts[index]
            if place > count {
                unsafe bytes[place] = UInt8(ascii: ",")
                place += 1
            }
            place = copy(part.start..<part.end, to: place)
        }
        _ = copy(count..<place, to: start)
    }

    private func copy(_ range: Range<Int>, to place: Int) -> Int {
        let end = place + range.count
        _ = unsafe bytes[place..<end].update(fromContentsOf: bytes[range])
        return end
    }

    private func reserve(_ more: Int) {
        if unsafe count + more > bytes.count { grow(more) }
    }

    private func grow(_ more: Int) {
        let larger = unsafe UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: max(2 * bytes.count, count + more))
        _ = unsafe larger.update(fromContentsOf: bytes[..<count])
        unsafe bytes.deallocate()
        unsafe bytes = larger
    }
}
