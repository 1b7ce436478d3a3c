/// The words after a role's name.
struct Operands {
    private let role: String
    private let words: [String]

    init(_ role: String, _ words: [String]) {
        self.role = role
        self.words = words
    }

    func text(_ index: Int, _ name: String) throws -> String {
        guard words.indices.contains(index) else { throw Misuse(message: "\(role) wants \(name)") }
        return words[index]
    }

    func number<Number: LosslessStringConvertible>(_ index: Int, _ name: String) throws -> Number {
        let text = try text(index, name)
        guard let number = Number(text) else { throw Misuse(message: "\(name) of \(role) is no number: \(text)") }
        return number
    }

    /// The word at this place, or where there is none the first case.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ index: Int, _ name: String) throws -> Choice {
        let choices = Array(Choice.allCases)
        guard words.indices.contains(index) else { return choices[0] }
        guard let choice = Choice(rawValue: words[index]) else {
            let names = choices.map(\.rawValue).joined(separator: ", ")
            throw Misuse(message: "\(name) of \(role) is one of \(names): \(words[index])")
        }
        return choice
    }
}

/// Wrong words on the command line.
struct Misuse: Error {
    let message: String
}
