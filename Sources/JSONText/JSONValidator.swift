/// Checks whether a text is JSON, without building anything from it.
///
/// 1. One pass over the bytes *recognizes* most JSON texts; of any other text, how far it is JSON.
/// 2. What it recognizes may still have *faults* in its UTF-8: the first one is the text's error.
/// 3. From there on ``JSONReader`` *judges*. So all errors are those that the reader would find.
package struct JSONValidator {
    private static let deepest = 64

    private var at = 0
    private var isASCII = true
    /// One bit for each open container, set if it is an object; the lowest is the innermost container's.
    private var objects: UInt64 = 0
    private var depth = 0
    /// How far the text is recognized, to the end of a value or the start of a container, and what a reader expects
    /// there.
    private var recognized = 0
    private var expectation = JSONReader.Expectation.document

    /// Throws if the text is anything but JSON: strictly by RFC 8259, in UTF-8 with or without a byte order mark, and
    /// no deeper than a `JSONValue`.
    ///
    /// - Parameter bytes: Returns the same text; called only if needed.
    package static func validate(_ text: Span<UInt8>, bytes: () -> [UInt8]) throws(JSONTextError) {
        var validator = JSONValidator()
        let isRecognized = validator.recognizes(text)
        let fault = validator.isASCII ? nil : text.extracting(first: validator.recognized).utf8Fault
        if isRecognized, fault == nil { return }
        let scanner = JSONScanner(bytes())
        if let fault { throw scanner.noUTF8(at: fault) }
        var reader = validator.reader(scanner)
        while try reader.next() != nil {}
    }

    /// A reader for the rest of the text, which is not recognized.
    private func reader(_ scanner: JSONScanner) -> JSONReader {
        if expectation == .document { return JSONReader(scanner.bytes) }
        var scanner = scanner
        scanner.position = recognized
        let containers = (0..<depth).reversed().map { objects >> UInt64($0) & 1 == 1 }
        return JSONReader(scanner, expectation, containers)
    }

    private mutating func recognizes(_ text: Span<UInt8>) -> Bool {
        if text.startsWithByteOrderMark { at = JSONScanner.byteOrderMark.count }
        while true {
            // At a value, or at the key of an object's member.
            skipSpace(text)
            if depth > 0, objects & 1 == 1 {
                guard take(UInt8(ascii: "\""), text), string(text) else { return false }
                skipSpace(text)
                guard take(UInt8(ascii: ":"), text) else { return false }
                skipSpace(text)
            }
            guard at < text.count else { return false }
            let byte = text[at]
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                if depth == Self.deepest { return false }
                at += 1
                let isObject = byte == UInt8(ascii: "{")
                objects = objects << 1 | (isObject ? 1 : 0)
                depth += 1
                (recognized, expectation) = (at, isObject ? .firstKey : .firstElement)
                skipSpace(text)
                guard at < text.count else { return false }
                if text[at] != Self.end(objects) { continue }
            } else {
                guard scalar(byte, text) else { return false }
                endValue()
            }
            // After a value, or at the end of an empty container.
            skipSpace(text)
            while depth > 0, take(Self.end(objects), text) {
                objects >>= 1
                depth -= 1
                endValue()
                skipSpace(text)
            }
            if depth == 0 { return at == text.count }
            guard take(UInt8(ascii: ","), text) else { return false }
        }
    }

    private mutating func endValue() {
        (recognized, expectation) = (at, depth == 0 ? .endOfText : .commaOrEnd)
    }

    private static func end(_ objects: UInt64) -> UInt8 {
        objects & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]")
    }

    private mutating func skipSpace(_ text: Span<UInt8>) {
        while at < text.count, JSONScanner.isBlank(text[at]) { at += 1 }
    }

    private mutating func take(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard at < text.count, text[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func scalar(_ first: UInt8, _ text: Span<UInt8>) -> Bool {
        switch first {
        case UInt8(ascii: "\""):
            at += 1
            return string(text)
        case UInt8(ascii: "t"): return literal("true", text)
        case UInt8(ascii: "f"): return literal("false", text)
        case UInt8(ascii: "n"): return literal("null", text)
        default: return number(text)
        }
    }

    private mutating func literal(_ word: StaticString, _ text: Span<UInt8>) -> Bool {
        let length = word.utf8CodeUnitCount
        guard length <= text.count - at else { return false }
        for offset in 0..<length {
            if unsafe text[at + offset] != word.utf8Start[offset] { return false }
        }
        at += length
        return true
    }

    private mutating func number(_ text: Span<UInt8>) -> Bool {
        _ = take(UInt8(ascii: "-"), text)
        if take(UInt8(ascii: "0"), text) {
            if at < text.count, JSONScanner.isDigit(text[at]) { return false }
        } else if !digits(text) {
            return false
        }
        if take(UInt8(ascii: "."), text), !digits(text) { return false }
        if take(UInt8(ascii: "e"), text) || take(UInt8(ascii: "E"), text) {
            if !take(UInt8(ascii: "-"), text) { _ = take(UInt8(ascii: "+"), text) }
            return digits(text)
        }
        return true
    }

    private mutating func digits(_ text: Span<UInt8>) -> Bool {
        let start = at
        while at < text.count, JSONScanner.isDigit(text[at]) { at += 1 }
        return at > start
    }

    /// Steps over a string, from behind its opening quote.
    private mutating func string(_ text: Span<UInt8>) -> Bool {
        var all: UInt8 = 0
        while at < text.count {
            let byte = text[at]
            at += 1
            if byte == UInt8(ascii: "\"") {
                if all >= 0x80 { isASCII = false }
                return true
            }
            if byte < 0x20 { return false }
            if byte == UInt8(ascii: "\\"), !escape(text) { return false }
            all |= byte
        }
        return false
    }

    /// Steps over an escape, from behind its backslash, or over two that are a pair of surrogates.
    private mutating func escape(_ text: Span<UInt8>) -> Bool {
        guard at < text.count else { return false }
        let byte = text[at]
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(text) else { return false }
            if Unicode.Scalar(unit) != nil { return true }
            guard UTF16.isLeadSurrogate(unit), take(UInt8(ascii: "\\"), text), take(UInt8(ascii: "u"), text),
                let second = codeUnit(text)
            else { return false }
            return UTF16.isTrailSurrogate(second)
        default: return false
        }
    }

    /// Steps over four hexadecimal digits; nil if there are none.
    private mutating func codeUnit(_ text: Span<UInt8>) -> UInt16? {
        guard text.count - at >= 4 else { return nil }
        var unit: UInt16 = 0
        for offset in 0..<4 {
            let byte = text[at + offset]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte & 0xF)
            case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                unit = unit << 4 | UInt16(byte & 0xF + 9)
            default: return nil
            }
        }
        at += 4
        return unit
    }
}

extension Span<UInt8> {
    fileprivate var startsWithByteOrderMark: Bool {
        count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
    }
}
