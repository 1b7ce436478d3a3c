extension JSONPredicate {
    /// Parses a predicate. The spaces around the operator are optional; so is the path, which is then that of the whole
    /// value.
    package init(parsing text: String) throws(JSONExpressionError) {
        var scanner = JSONScanner(expression: text)
        scanner.skipWhitespace()
        guard scanner.next != nil else {
            throw JSONExpressionError("Expected a predicate such as .ready or .count >= 3, found nothing.", at: scanner)
        }
        var path = JSONPath()
        if !Self.beginsComparison(scanner) {
            var parser = JSONPathParser(scanner)
            path = try parser.path()
            scanner = parser.scanner
            scanner.skipWhitespace()
        }
        self.init(path: path, comparison: try Self.comparison(at: &scanner))
    }

    private static func beginsComparison(_ scanner: JSONScanner) -> Bool {
        scanner.next.map(JSONPathParser.isComparison) ?? false
    }

    /// Parses the operator and the operand that end the predicate; nil if the predicate ends before them.
    private static func comparison(at scanner: inout JSONScanner) throws(JSONExpressionError) -> Comparison? {
        if scanner.next == nil { return nil }
        let rest = scanner.bytes[scanner.position...]
        guard let found = Operator.allCases.first(where: { rest.starts(with: $0.rawValue.utf8) }) else {
            let operators = Operator.allCases.map(\.rawValue).joined(separator: " ")
            throw JSONExpressionError("Expected one of \(operators), found \(scanner.finding).", at: scanner)
        }
        scanner.position += found.rawValue.utf8.count
        scanner.skipWhitespace()
        guard scanner.next != nil else {
            throw JSONExpressionError(
                "Expected a JSON value after \(found.rawValue), found the end of the predicate.", at: scanner)
        }
        do throws(JSONTextError) {
            return Comparison(operator: found, operand: try JSONValue(reading: JSONReader(scanner)))
        } catch {
            let isAtStart = error.byteOffset == scanner.position
            scanner.position = error.byteOffset
            let advice = isAtStart ? " A string is written in double quotes: \"ready\"." : ""
            throw JSONExpressionError(error.message + advice, at: scanner)
        }
    }
}
