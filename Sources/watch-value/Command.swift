/// A command, and all that is to be known of it. This table makes parsing, help and completions.
enum Command: String, CaseIterable {
    case watch, get, set, list, path

    /// What stands on the line beside options.
    enum Operand {
        case name, names, optionalName, value
    }

    struct Entry {
        var operands: [Operand] = []
        /// How many operands there may be.
        var count: ClosedRange<Int>
        var usage: String
        var summary: String
        var options: [Option]
        var details = ""
        var examples: [String] = []
    }

    private static let place: [Option] = [.group, .container]

    var entry: Entry {
        switch self {
        case .watch:
            Entry(
                operands: [.names], count: 1...Int.max, usage: "[watch] NAME…",
                summary: "the value now, then each change",
                options: Self.place + [.at, .raw, .pretty, .events, .count, .timeout, .noInitial],
                details: """
                    One line of compact JSON each, flushed. A change is what changes the line; with --at, what makes
                    that part another value. With several NAMEs it prints --events. A missing value prints
                    nothing, a bad one a line on stderr; watching goes on.
                    """,
                examples: ["watch-value settings", "watch-value -n 1 --no-initial --at .theme ./settings.json"])
        case .get:
            Entry(
                operands: [.name], count: 1...1, usage: "get NAME", summary: "the value, once",
                options: Self.place + [.at, .raw, .pretty],
                details: "Exits with 66 where there is no such value or part, 65 where it is not JSON.",
                examples: ["watch-value get settings --at .theme -r"])
        case .set:
            Entry(
                operands: [.name, .value], count: 2...2, usage: "set NAME VALUE|-", summary: "replace the value",
                options: Self.place + [.string, .timeout, .durability],
                details: """
                    VALUE is JSON and is written as it is; - reads it from standard input. --timeout bounds the wait
                    for the lock. Content that is not JSON is kept in .groupfile/ beside the value.
                    """,
                examples: ["watch-value set volume 11", "watch-value set --string title 'Good morning'"])
        case .list:
            Entry(
                count: 0...0, usage: "list", summary: "the names of the group's values", options: Self.place)
        case .path:
            Entry(
                operands: [.optionalName], count: 0...1, usage: "path [NAME]",
                summary: "where the value lies, or the container", options: Self.place,
                details: "It need not be there.")
        }
    }

    /// What the command understands, beside its own options.
    var options: [Option] { entry.options + [.help, .version] }
}
