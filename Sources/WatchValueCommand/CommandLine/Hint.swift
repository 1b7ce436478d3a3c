import SystemCalls

/// What the user may have meant by a NAME that has no value.
enum Hint {
    /// Printed once, before waiting for a value that may never come.
    static func complain(_ hint: String?, about location: Location) {
        if let hint { Output.complain("\(location.name): there is no such value yet; \(hint)") }
    }

    /// Nil if there is nothing to suggest.
    static func text(for location: Location, _ arguments: Arguments) -> String? {
        let name = location.name
        if location.container == nil { return nil }
        if Path.isRegularFile(name) { return "for the file here write ./\(name)" }
        return name == arguments.operands.first ? command(arguments) : nil
    }

    /// For a first word that may have been meant as a command; nil if there is nothing to suggest.
    static func command(_ arguments: Arguments) -> String? {
        guard !arguments.isNamed, let name = arguments.operands.first?.lowercased() else { return nil }
        if name == "help" { return "for help write watch-value --help" }
        if name == "version" { return "for the version write watch-value --version" }
        let near = name.count < 3 ? 0 : name.count < 5 ? 1 : 2
        let meant =
            otherNames[name]?.rawValue
            ?? Spelling.nearest(to: name, among: Command.allCases.map(\.rawValue), within: near)
        return meant.map { "for the command write watch-value \($0)" }
    }

    /// What other programs call these commands.
    private static let otherNames: [String: Command] = [
        "ls": .list, "rm": .remove, "delete": .remove, "unset": .remove, "cat": .get, "show": .get, "write": .set,
    ]
}
