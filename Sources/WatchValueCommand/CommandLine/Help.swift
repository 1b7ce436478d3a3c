/// Help, made from the tables.
enum Help {
    static let version = "0.1.0"

    static func text(for command: Command?) -> String {
        command.map(text(for:)) ?? overview
    }

    private static var overview: String {
        let width = Command.allCases.map { $0.entry.usage.count }.max() ?? 0
        let commands = Command.allCases.map { "  watch-value \($0.entry.usage.padded(to: width))  \($0.entry.summary)" }
        return """
            Watch, read and change values that several processes share, and any JSON file.

            \(commands.joined(separator: "\n"))

            A NAME with a / in it is the path of any JSON file, to which -g and --container do not apply; any other NAME
            is a value of the group.

            \(options([.group, .container, .help, .version]))

            Exit: 0 done; 1 condition false, or doctor found a problem; 64 usage; 65 not JSON, or too large;
            66 no such value or container; 74 I/O error; 77 permission; 124 timeout; 126 COMMAND cannot be run;
            127 COMMAND not found; 128+n ended by signal n.

            Each command has its own help: watch-value COMMAND --help

            """
    }

    private static func text(for command: Command) -> String {
        let entry = command.entry
        var parts = [
            "watch-value \(entry.usage)",
            entry.summary.prefix(1).uppercased() + entry.summary.dropFirst() + ".",
        ]
        if !entry.details.isEmpty { parts.append(entry.details) }
        parts.append(options(command.options))
        if !entry.examples.isEmpty { parts.append(entry.examples.map { "  \($0)" }.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static func options(_ options: [Option]) -> String {
        let width = options.map(\.usage.count).max() ?? 0
        return options.map { "  \($0.usage.padded(to: width))  \($0.entry.summary)" }.joined(separator: "\n")
    }
}
