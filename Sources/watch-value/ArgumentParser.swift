/// Understands a command line: options anywhere, `--flag=value`, `-n3`, `-rn3`, `--`, and `-0.5` for a value.
struct ArgumentParser {
    private var words: ArraySlice<String>
    private var positional: [String] = []
    private var given: [(option: Option, value: String, spelling: String)] = []
    /// What follows the first `--`.
    private var rest: [String]?

    static func parse(_ words: [String]) throws(Failure) -> Request {
        var parser = ArgumentParser(words: words[...])
        try parser.split()
        return try parser.request()
    }

    private init(words: ArraySlice<String>) {
        self.words = words
    }

    // MARK: Words

    /// Sorts words into options and others. An option means the same to every command, so this needs not know which.
    private mutating func split() throws(Failure) {
        while let word = words.popFirst() {
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

    /// `-` is standard input, `-5` and `-.5` are numbers.
    private func isFlag(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
        return !second.isNumber && second != "."
    }

    private mutating func long(_ word: String) throws(Failure) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = Option(rawValue: name) else { throw unknown("--\(name)") }
        let attached = parts.count > 1 ? String(parts[1]) : nil
        if attached != nil, option.entry.value == nil {
            throw Failure(.usage, "--\(name) takes no value", about: word)
        }
        try add(option, attached, "--\(name)")
    }

    private mutating func short(_ word: String) throws(Failure) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = Option.allCases.first(where: { $0.entry.short == letter }) else {
                throw unknown(letters.isEmpty && word.count == 2 ? word : "-\(letter)")
            }
            if option.entry.value == nil || letters.isEmpty {
                try add(option, nil, "-\(letter)")
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
        guard let value = attached ?? words.popFirst() else {
            throw Failure(.usage, "\(spelling) wants \(placeholder): \(option.entry.summary)")
        }
        let choices = option.entry.choices
        if !choices.isEmpty, !choices.contains(value) {
            throw Failure(.usage, "\(spelling) is one of \(choices.joined(separator: ", ")), not \"\(value)\"")
        }
        given.append((option, value, spelling))
    }

    private func unknown(_ flag: String) -> Failure {
        let command = positional.first.flatMap(Command.init(rawValue:)) ?? .watch
        let near = Spelling.nearest(to: flag, among: command.options.map(\.flag) + Option.allCases.map(\.flag))
        let advice = near.map { "; did you mean \($0)?" } ?? "; see watch-value --help"
        return Failure(.usage, "there is no option \(flag)\(advice)")
    }

    // MARK: The whole

    private mutating func request() throws(Failure) -> Request {
        var command = Command.watch
        var isNamed = false
        if let first = positional.first, let named = Command(rawValue: first) {
            command = named
            isNamed = true
            positional.removeFirst()
        }
        if given.contains(where: { $0.option == .help }) {
            return .help(isNamed || !positional.isEmpty ? command : nil)
        }
        if given.contains(where: { $0.option == .version }) { return .version }
        var arguments = Arguments(command)
        arguments.isNamed = isNamed
        for (option, value, spelling) in given {
            guard command.options.contains(option) else {
                let others = Command.allCases.filter { $0.options.contains(option) }.map(\.rawValue)
                throw Failure(
                    .usage, "\(command) has no option \(spelling); it belongs to \(others.joined(separator: ", "))")
            }
            arguments.set(option, value)
        }
        if !isNamed, positional.isEmpty, rest ?? [] == [] {
            throw Failure(.usage, "name a value to watch, or a command; see watch-value --help")
        }
        try placeRest(in: &arguments)
        try check(arguments)
        return .run(arguments)
    }

    /// What follows `--` is COMMAND, where there is one; operands where there were none before.
    private func placeRest(in arguments: inout Arguments) throws(Failure) {
        arguments.operands = positional
        guard let rest else { return }
        guard arguments.command.entry.takesProgram else {
            arguments.operands += rest
            return
        }
        if !positional.isEmpty {
            arguments.program = rest
        } else {
            let end = rest.firstIndex(of: "--") ?? rest.endIndex
            arguments.operands = Array(rest[..<end])
            arguments.program = Array(rest[end...].dropFirst())
        }
    }

    private func check(_ arguments: Arguments) throws(Failure) {
        let entry = arguments.command.entry
        if entry.count.contains(arguments.operands.count) { return }
        let isTooMany = arguments.operands.count > entry.count.upperBound
        let what = isTooMany ? "too many words: \"\(arguments.operands[entry.count.upperBound])\"" : "too few words"
        throw Failure(.usage, "\(what); the usage is watch-value \(entry.usage)")
    }
}
