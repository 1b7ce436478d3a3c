extension JSONScanner {
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Steps over a string, whose opening quote is here, and returns it decoded.
    mutating func string() throws(JSONTextError) -> String {
        position += 1
        let start = position
        skipPlainBytes()
        // `String(validating:)` is not specialized for a slice, and takes several times as long.
        if next == Self.quote, bytes.span.extracting(start..<position).isUTF8 {
            defer { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        return try escapedString(from: start)
    }

    /// Steps over the rest of a string of which `start..<position` needs no decoding.
    private mutating func escapedString(from start: Int) throws(JSONTextError) -> String {
        var decoded = Array(bytes[start..<position])
        while let byte = next, byte != Self.quote {
            if byte == Self.backslash {
                try escape(from: start, into: &decoded)
            } else if byte < 0x20 {
                let found = finding
                throw stringError("Expected control characters to be escaped in a string, found \(found).", from: start)
            } else {
                let plain = position
                skipPlainBytes()
                decoded.append(contentsOf: bytes[plain..<position])
            }
        }
        guard next == Self.quote, let text = String(validating: decoded, as: UTF8.self) else {
            let opening = place(of: start - 1)
            let message = "Expected '\"' to end the string that begins at \(opening), found \(finding)."
            throw stringError(message, from: start)
        }
        position += 1
        return text
    }

    private mutating func skipPlainBytes() {
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x20 || byte == Self.quote || byte == Self.backslash { return }
            position += 1
        }
    }

    private mutating func escape(from start: Int, into decoded: inout [UInt8]) throws(JSONTextError) {
        let escape = position
        position += 1
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(bytes[position])
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            let unit = try codeUnit(from: start)
            decoded.append(contentsOf: try scalar(unit, at: escape, from: start).utf8)
            return
        default:
            throw stringError("Expected one of \"\\/bfnrtu after '\\', found \(finding).", from: start)
        }
        position += 1
    }

    /// The scalar that begins with `unit`; reads the low surrogate that follows a high one.
    private mutating func scalar(
        _ unit: UInt16,
        at escape: Int,
        from start: Int
    ) throws(JSONTextError) -> Unicode.Scalar {
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if UTF16.isLeadSurrogate(unit), skip(Self.backslash), next == UInt8(ascii: "u") {
            let second = try codeUnit(from: start)
            if UTF16.isTrailSurrogate(second) { return UTF16.decode(UTF16.EncodedScalar([unit, second])) }
        }
        position = escape
        let digits = String(unit, radix: 16, uppercase: true)
        throw stringError("Expected a surrogate pair, found the lone surrogate \\u\(digits).", from: start)
    }

    /// Reads the four hexadecimal digits after the `u` that is here.
    private mutating func codeUnit(from start: Int) throws(JSONTextError) -> UInt16 {
        position += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw stringError("Expected four hexadecimal digits after '\\u', found \(finding).", from: start)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    /// An error at this position, unless the string stops being UTF-8 before it: the first fault is the one to report.
    private func stringError(_ message: String, from start: Int) -> JSONTextError {
        if let fault = bytes.span.extracting(start..<position).utf8Fault { return noUTF8(at: start + fault) }
        return error(message)
    }

    /// An error at the byte where the text stops being UTF-8.
    func noUTF8(at offset: Int) -> JSONTextError {
        var fault = self
        fault.position = offset
        return fault.error("Expected UTF-8, found \(fault.finding).")
    }
}
