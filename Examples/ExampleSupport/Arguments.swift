/// The words of a command line, taken one by one.
public struct Arguments: Sendable {
    private var words: ArraySlice<String>

    public init(_ words: some Sequence<String>) {
        self.words = ArraySlice(Array(words))
    }

    /// Whether `--help` was one of the words so far, and no option's value.
    private(set) var asksForHelp = false

    /// The next word; nil at the end.
    public mutating func next() -> String? {
        let word = words.popFirst()
        if word == "--help" || word == "-h" { asksForHelp = true }
        return word
    }

    /// The value that follows an option.
    public mutating func value(of option: String) throws(Failure) -> String {
        guard let value = words.popFirst() else { throw .usage("\(option) wants a value") }
        return value
    }

    /// The number that follows an option, within these bounds.
    public mutating func number<Number: LosslessStringConvertible & Comparable>(
        of option: String, in bounds: ClosedRange<Number>
    ) throws(Failure) -> Number {
        let text = try value(of: option)
        guard let number = Number(text), bounds.contains(number) else {
            throw .usage(
                "\(option) wants a number from \(bounds.lowerBound) to \(bounds.upperBound), not \"\(text)\"")
        }
        return number
    }

    /// Throws if any word is left.
    public mutating func end() throws(Failure) {
        if let word = next() { throw .usage("\"\(word)\" is one word too many") }
    }
}
