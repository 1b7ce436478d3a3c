import GroupFiles

/// An option of the command line, with all that parsing, help and completions need to know about it.
enum Option: String, CaseIterable {
    case group, container
    case at, raw, pretty, events
    case count, timeout
    case noInitial = "no-initial"
    case string, durability
    case `for`
    case failWhen = "fail-when"
    case onBusy = "on-busy"
    case exitOnError = "exit-on-error"
    case live, diff, plot, color
    case json
    case help, version

    struct Entry {
        var short: Character?
        /// What its value is called; nil where it takes none.
        var value: String?
        /// The values it may have; empty if they cannot be listed.
        var choices: [String] = []
        /// Whether it may be given only once. With other options a second value corrects the first; with this one, the
        /// user would mean both.
        var isOnce = false
        let summary: String
    }

    var entry: Entry {
        switch self {
        case .group:
            Entry(short: "g", value: "ID", summary: "the group of the value (else WATCH_VALUE_GROUP, else default)")
        case .container:
            Entry(
                value: "DIR",
                summary: "the container's directory itself, regardless of the group (neither applies to paths)")
        case .at:
            Entry(value: "PATH", isOnce: true, summary: "only this part, in jq's syntax: .a.b[0], .[\"odd key\"]")
        case .raw: Entry(short: "r", summary: "print strings raw, without quotes and escapes")
        case .pretty: Entry(summary: "print over several lines, indented")
        case .events: Entry(summary: "print one JSON object per line: value, missing, invalid, health")
        case .count:
            Entry(
                short: "n", value: "N",
                summary:
                    "end after printing N times (on however many lines; health is not counted), or N runs of COMMAND")
        case .timeout: Entry(value: "TIME", summary: "give up after TIME (\(TimeSpan.forms)) with exit code 124")
        case .noInitial: Entry(summary: "only changes, not the current value")
        case .string: Entry(summary: "VALUE is a string, not JSON")
        case .durability:
            Entry(
                value: "HOW", choices: Durability.allCases.map(\.rawValue),
                summary:
                    "relaxed survives crashes; after a power cut consistent (default) leaves old or new, durable new")
        case .for:
            Entry(
                value: "PREDICATE", isOnce: true,
                summary: "until this holds: [PATH] [OP JSON], OP one of == != < <= > >=")
        case .failWhen: Entry(value: "PREDICATE", isOnce: true, summary: "end with exit code 1 when this holds")
        case .onBusy:
            Entry(
                value: "HOW", choices: BusyPolicy.allCases.map(\.rawValue),
                summary: "on a change while COMMAND runs: queue (the default; the newest only), restart, or skip")
        case .exitOnError: Entry(summary: "end when COMMAND fails, with its exit code")
        case .live: Entry(summary: "show a table of the values, kept up to date")
        case .diff: Entry(summary: "print what changed within the value: old → new")
        case .plot: Entry(summary: "draw the history of a number")
        case .color:
            Entry(
                value: "WHEN", choices: Style.When.allCases.map(\.rawValue),
                summary: "colours: always, never, or auto (the default): on a terminal, unless NO_COLOR is set")
        case .json: Entry(summary: "print one JSON object, for programs")
        case .help: Entry(short: "h", summary: "this help")
        case .version: Entry(summary: "print the version")
        }
    }

    var flag: String { "--\(rawValue)" }

    /// As help shows it: `-n, --count N`.
    var usage: String {
        let short = entry.short.map { "-\($0), " } ?? "    "
        return short + flag + (entry.value.map { " \($0)" } ?? "")
    }
}
