/// Parses a command line: options anywhere, `--flag=value`, `-n3`, `-rn3`, `--`, and `-0.5` as a value.
struct ArgumentParser {
    private var words: ArraySlice<[UInt8]>
    private var positional: [String] = []
    private var given: [(option: Option, value: String, spelling: String)] = []
    /// What follows the first `--`.
    private var rest: [[UInt8]]?

    static func parse(_ words: ArraySlice<[UInt8]>) throws(Failure) -> Request {
        var parser = ArgumentParser(words: words)
        try parser.split()
        return try parser.request()
    }

    private init(words: ArraySlice<[UInt8]>) {
        self.words = words
    }

    /// The command that was typed, as far as it is known; if none is, `watch` is meant.
    private var named: Command? { positional.first.flatMap(Command.init(rawValue:)) }

    /// Whether the next operand is VALUE.
    private var isBeforeValue: Bool { named == .set && positional.count == 2 }

    // MARK: Words

    /// Sorts words into options and others. Options mean the same for every command, so the command need not be known.
    private mutating func split() throws(Failure) {
        while let word = try nextWord(mayBeValue: isBeforeValue) {
            if word == "--" {
                rest = Array(words)
                return
            }
            if word.hasPrefix("--") {
                try long(word)
            } else if isFlag(word) {
                try short(word)
            } else {
                positional.append(word)
            }
        }
    }

    private mutating func nextWord(mayBeValue: Bool) throws(Failure) -> String? {
        guard let word = words.popFirst() else { return nil }
        return try text(word, isValue: mayBeValue && word.first != UInt8(ascii: "-"))
    }

    /// Throws if the word is not UTF-8: a repaired word would be another name, or another value.
    private func text(_ word: [UInt8], isValue: Bool) throws(Failure) -> String {
        if let text = String(validating: word, as: UTF8.self) { return text }
        if isValue { throw Failure(.badContent, "it is not UTF-8", about: "VALUE") }
        let shown = word.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "\\x" + String($0, radix: 16) }.joined()
        throw Failure(.usage, "the argument \"\(shown)\" is not UTF-8")
    }

    /// `-` is standard input, `-5` and `-.5` are numbers.
    private func isFlag(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
        return !second.isNumber && second != "."
    }

    private mutating func long(_ word: String) throws(Failure) {
        // By bytes: an accent at the start of VALUE would belong to the character "=".
        let parts = word.utf8.dropFirst(2).split(
            separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        let name = parts[0]
        guard let option = Option(rawValue: name) else { throw unknown("--\(name)", in: word) }
        let attached = parts.count > 1 ? parts[1] : nil
        if attached != nil, option.entry.value == nil {
            throw Failure(.usage, "--\(name) takes no value", about: word)
        }
        try add(option, attached, "--\(name)")
    }

    private mutating func short(_ word: String) throws(Failure) {
        var letters = word.unicodeScalars.dropFirst()
        while let scalar = letters.popFirst() {
            let letter = Character(scalar)
            guard let option = Option.allCases.first(where: { $0.entry.short == letter }) else {
                throw unknown(letter, in: word)
            }
            if option.entry.value == nil || letters.isEmpty {
                try add(option, nil, "-\(letter)")
            } else if letters.first == "=" {
                let value = String(letters.dropFirst())
                throw Failure(.usage, "write -\(letter) \(value), or --\(option.rawValue)=\(value)", about: word)
            } else {
                try add(option, String(letters), "-\(letter)")
                return
            }
        }
    }

    private mutating func add(_ option: Option, _ attached: String?, _ spelling: String) throws(Failure) {
        guard let placeholder = option.entry.value else {
            given.append((option, "", spelling))
            return
        }
        let word: String? = if let attached { attached } else { try nextWord(mayBeValue: false) }
        // A separating -- is not the value of an option; one that is attached is.
        guard let value = word, value != "--" || attached != nil else {
            try checkBelongs(option, spelling)
            throw Failure(.usage, "\(spelling) needs \(placeholder): \(option.entry.summary)")
        }
        let choices = option.entry.choices
        if !choices.isEmpty, !choices.contains(value) {
            try checkBelongs(option, spelling)
            throw Failure(.usage, "\(spelling) is one of \(choices.joined(separator: ", ")), not \"\(value)\"")
        }
        given.append((option, value, spelling))
    }

    /// Throws if the command, as far as it is known, does not have the option: that is reported rather than what is
    /// wrong with the option's value.
    private func checkBelongs(_ option: Option, _ spelling: String) throws(Failure) {
        if positional.isEmpty { return }
        let command = named ?? .watch
        if !command.options.contains(option) { throw foreign(option, spelling, to: command) }
    }

    private func foreign(_ option: Option, _ spelling: String, to command: Command) -> Failure {
        let others = Command.allCases.filter { $0.options.contains(option) }.map(\.rawValue)
        return Failure(
            .usage,
            "\(command) has no option \(spelling); it belongs to \(others.joined(separator: ", "))\(hint(spelling))")
    }

    /// Some programs write long options with one dash.
    private func unknown(_ letter: Character, in word: String) -> Failure {
        let name = String(word.dropFirst().prefix { $0 != "=" })
        if name.count > 1, Option(rawValue: name) != nil {
            return Failure(.usage, "there is no option -\(name); did you mean --\(name)?")
        }
        return unknown("-\(letter)", in: word)
    }

    private func unknown(_ flag: String, in word: String) -> Failure {
        let command = named ?? .watch
        let near =
            flag.hasPrefix("--") && flag.count > 2
            ? Spelling.nearest(to: flag, among: command.options.map(\.flag) + Option.allCases.map(\.flag))
            : onlyFlag(of: command, like: flag)
        let hint = hint(word)
        let advice = near.map { "; did you mean \($0)?" } ?? (hint.isEmpty ? "; see watch-value --help" : "")
        return Failure(.usage, "there is no option \(flag)\(hint)\(advice)")
    }

    /// The option that the user may have meant by the letter, though it has no short form; nil if there could be
    /// several.
    private func onlyFlag(of command: Command, like short: String) -> String? {
        let flags = command.options.map(\.flag).filter { $0.hasPrefix("-" + short.lowercased()) }
        return flags.count == 1 ? flags[0] : nil
    }

    /// A word that looks like an option may be meant as VALUE, as long as there is none.
    private func hint(_ word: String) -> String {
        isBeforeValue && rest == nil ? "; if \(word) is VALUE, put -- before it" : ""
    }

    // MARK: The whole

    private func request() throws(Failure) -> Request {
        let command = named ?? .watch
        let isNamed = named != nil
        let operands = Array(positional.dropFirst(isNamed ? 1 : 0))
        if given.contains(where: { $0.option == .help }) {
            return .help(isNamed || !operands.isEmpty ? command : nil)
        }
        if given.contains(where: { $0.option == .version }) { return .version }
        var arguments = Arguments(command)
        arguments.isNamed = isNamed
        for (option, value, spelling) in given {
            guard command.options.contains(option) else { throw foreign(option, spelling, to: command) }
            if option.entry.isOnce, arguments.has(option) { throw Failure(.usage, "\(spelling) was given twice") }
            arguments.set(option, value)
        }
        if !isNamed, operands.isEmpty, rest ?? [] == [] {
            throw Failure(.usage, "name a value to watch, or a command; see watch-value --help")
        }
        arguments.operands = operands
        try placeRest(in: &arguments)
        try check(arguments)
        return .run(arguments)
    }

    /// Places the words after `--`. If the command takes a COMMAND, they are COMMAND; but if no operands came before,
    /// the words up to another `--` are the operands. For other commands all words are operands.
    private func placeRest(in arguments: inout Arguments) throws(Failure) {
        guard let rest else { return }
        guard arguments.command.entry.takesProgram else {
            return try addOperands(rest[...], to: &arguments)
        }
        if !arguments.operands.isEmpty {
            arguments.program = rest
        } else {
            let end = rest.firstIndex(of: Array("--".utf8)) ?? rest.endIndex
            try addOperands(rest[..<end], to: &arguments)
            arguments.program = Array(rest[end...].dropFirst())
        }
    }

    private func addOperands(_ words: ArraySlice<[UInt8]>, to arguments: inout Arguments) throws(Failure) {
        for word in words {
            let isValue = arguments.command == .set && arguments.operands.count == 1
            arguments.operands.append(try text(word, isValue: isValue))
        }
    }

    private func check(_ arguments: Arguments) throws(Failure) {
        let entry = arguments.command.entry
        let lacksProgram = rest == [] && entry.takesProgram && !arguments.operands.isEmpty
        if lacksProgram || arguments.command == .update, arguments.program.isEmpty {
            throw Failure(.usage, "name a COMMAND after --; the usage is watch-value \(entry.usage)")
        }
        if entry.count.contains(arguments.operands.count) { return }
        let isTooMany = arguments.operands.count > entry.count.upperBound
        let what = isTooMany ? "too many words: \"\(arguments.operands[entry.count.upperBound])\"" : "too few words"
        throw Failure(.usage, "\(what); the usage is watch-value \(entry.usage)")
    }
}
