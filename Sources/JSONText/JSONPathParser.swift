extension JSONPath {
    /// Parses a path as jq writes it; white space is allowed around it, between its steps, and inside brackets.
    package init(parsing text: String) throws(JSONExpressionError) {
        var parser = JSONPathParser(JSONScanner(expression: text))
        parser.skipWhitespace()
        self = try parser.path()
        parser.skipWhitespace()
        guard parser.scanner.next == nil else {
            throw parser.error("Expected '.', '[' or the end of the path, found \(parser.scanner.finding).")
        }
    }
}

/// Parses the path at a scanner's position and moves the scanner past it.
struct JSONPathParser {
    private(set) var scanner: JSONScanner

    init(_ scanner: JSONScanner) {
        self.scanner = scanner
    }

    mutating func skipWhitespace() { scanner.skipWhitespace() }

    /// Parses the path here, up to a comparison, the end, or white space that no step follows.
    mutating func path() throws(JSONExpressionError) -> JSONPath {
        guard scanner.next == UInt8(ascii: ".") else {
            throw error("Expected a path such as . or .a.b[0], found \(scanner.finding).")
        }
        var steps: [JSONPath.Step] = []
        while let byte = nextOfStep {
            if scanner.skip(UInt8(ascii: ".")) {
                if let step = try stepAfterDot(isFirst: steps.isEmpty) {
                    steps.append(step)
                } else {
                    return JSONPath(steps)
                }
            } else if byte == UInt8(ascii: "[") {
                steps.append(try bracket())
            } else if scanner.skip(UInt8(ascii: "?")) {
                // In jq, this prevents an error if there is no such part. Here that is no error in any case.
            } else if JSONScanner.isBlank(byte) || Self.isComparison(byte) {
                return JSONPath(steps)
            } else {
                throw error("Expected '.', '[' or the end of the path, found \(scanner.finding); \(Self.keyAdvice)")
            }
        }
        return JSONPath(steps)
    }

    /// The byte here. If that is white space before another step, moves past it, and returns the byte that begins the
    /// step.
    private var nextOfStep: UInt8? {
        mutating get {
            guard let byte = scanner.next, JSONScanner.isBlank(byte) else { return scanner.next }
            var after = scanner
            after.skipWhitespace()
            switch after.next {
            case UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "?"): scanner = after
            default: break
            }
            return scanner.next
        }
    }

    /// Whether jq reads `.key` as that key.
    static func isIdentifier(_ key: String) -> Bool {
        guard let first = key.utf8.first, !JSONScanner.isDigit(first) else { return false }
        return key.utf8.allSatisfy(isIdentifierByte)
    }

    func error(_ message: String) -> JSONExpressionError {
        JSONExpressionError(message, at: scanner)
    }

    private static let keyAdvice = "write keys of other characters as .[\"odd key\"]."

    private static func isIdentifierByte(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        return JSONScanner.isDigit(byte) || byte == UInt8(ascii: "_")
            || letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
    }

    /// Whether this byte begins a comparison, which follows a path or takes the place of one.
    static func isComparison(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "=") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
    }

    /// Parses the step after a dot; nil for a dot that is the whole path.
    private mutating func stepAfterDot(isFirst: Bool) throws(JSONExpressionError) -> JSONPath.Step? {
        switch scanner.next {
        case UInt8(ascii: "["): return try bracket()
        case UInt8(ascii: "\""): return .key(try string())
        case let byte? where Self.isIdentifierByte(byte) && !JSONScanner.isDigit(byte):
            let start = scanner.position
            while let byte = scanner.next, Self.isIdentifierByte(byte) { scanner.position += 1 }
            return .key(String(decoding: scanner.bytes[start..<scanner.position], as: UTF8.self))
        case let byte where isFirst && byte.map({ JSONScanner.isBlank($0) || Self.isComparison($0) }) ?? true:
            return nil
        default: throw error("Expected a key after '.', found \(scanner.finding); \(Self.keyAdvice)")
        }
    }

    /// Parses a step in brackets, the first of which is here.
    private mutating func bracket() throws(JSONExpressionError) -> JSONPath.Step {
        scanner.position += 1
        scanner.skipWhitespace()
        let step: JSONPath.Step
        switch scanner.next {
        case UInt8(ascii: "\""): step = .key(try string())
        case let byte? where byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte): step = .index(try index())
        default: throw error("Expected an index such as 0 or -1, or a key in double quotes, found \(scanner.finding).")
        }
        scanner.skipWhitespace()
        guard scanner.skip(UInt8(ascii: "]")) else { throw error("Expected ']', found \(scanner.finding).") }
        return step
    }

    private mutating func index() throws(JSONExpressionError) -> Int {
        let start = scanner.position
        _ = scanner.skip(UInt8(ascii: "-"))
        while let byte = scanner.next, JSONScanner.isDigit(byte) { scanner.position += 1 }
        let digits = String(decoding: scanner.bytes[start..<scanner.position], as: UTF8.self)
        guard let index = Int(digits) else {
            scanner.position = start
            throw error("Expected an index from \(Int.min) to \(Int.max), found '\(digits)'.")
        }
        return index
    }

    private mutating func string() throws(JSONExpressionError) -> String {
        do throws(JSONTextError) {
            return try scanner.string()
        } catch {
            scanner.position = error.byteOffset
            throw self.error(error.message)
        }
    }
}
