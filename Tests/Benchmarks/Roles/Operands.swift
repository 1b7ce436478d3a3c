/// The words after a role's name.
struct Operands {
    private let role: String
    private let words: [String]

    init(_ role: String, _ words: [String]) {
        self.role = role
        self.words = words
    }

    func isGiven(_ index: Int) -> Bool { words.indices.contains(index) }

    func text(_ index: Int, _ name: String) throws -> String {
        guard words.indices.contains(index) else { throw Misuse(message: "\(role) wants \(name)") }
        return words[index]
    }

    /// A value's absolute path.
    func target() throws -> String {
        let path = try text(0, "TARGET")
        guard path.hasPrefix("/"), !path.hasSuffix("/") else { throw misuse("TARGET", "is no absolute path", path) }
        return path
    }

    func number<Number: LosslessStringConvertible & Comparable>(
        _ index: Int, _ name: String, in bounds: ClosedRange<Number>
    ) throws -> Number {
        let text = try text(index, name)
        guard let number = Number(text) else { throw misuse(name, "is no number", text) }
        guard bounds.contains(number) else {
            throw misuse(name, "is not between \(bounds.lowerBound) and \(bounds.upperBound)", text)
        }
        return number
    }

    /// The word at this place, or the first case if there is no word.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ index: Int, _ name: String) throws -> Choice {
        let choices = Array(Choice.allCases)
        guard words.indices.contains(index) else { return choices[0] }
        guard let choice = Choice(rawValue: words[index]) else {
            let names = choices.map(\.rawValue).joined(separator: ", ")
            throw misuse(name, "is one of \(names)", words[index])
        }
        return choice
    }

    /// What is wrong with the word `text`.
    func misuse(_ name: String, _ problem: String, _ text: String) -> Misuse {
        Misuse(message: "\(name) of \(role) \(problem): \(text)")
    }
}

/// Wrong words on the command line.
struct Misuse: Error {
    let message: String
}
