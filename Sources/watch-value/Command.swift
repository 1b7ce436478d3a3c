/// A command, and all that is to be known of it. This table makes parsing, help and completions.
enum Command: String, CaseIterable {
    case watch, get, set, update, wait, list, remove, path, doctor, completions

    /// What stands on the line beside options.
    enum Operand {
        case name, names, optionalName, value, shell
    }

    struct Entry {
        var operands: [Operand] = []
        /// How many operands there may be.
        var count: ClosedRange<Int>
        var usage: String
        var summary: String
        /// Whether `--` and another command may follow.
        var takesProgram = false
        var options: [Option]
        var details = ""
        var examples: [String] = []
    }

    private static let place: [Option] = [.group, .container]

    var entry: Entry {
        switch self {
        case .watch:
            Entry(
                operands: [.names], count: 1...Int.max, usage: "[watch] NAME… [-- COMMAND…]",
                summary: "the value now, then each change", takesProgram: true,
                options: Self.place + [
                    .at, .raw, .pretty, .events, .count, .timeout, .noInitial, .onBusy, .exitOnError, .diff, .plot,
                    .color,
                ],
                details: """
                    One line of compact JSON each, flushed. A change is what changes the line; with --at, what makes
                    that part another value. With several NAMEs it prints --events. A missing value prints
                    nothing, a bad one a line on stderr; watching goes on.

                    With COMMAND it runs that at each change instead, for the value that is there now too. COMMAND has
                    the value on its standard input, nothing where it was removed, and WATCH_VALUE_NAME and
                    WATCH_VALUE_PATH in its environment. It ends when watch-value does. It runs in a process group of
                    its own, so it cannot read from the terminal. What --on-busy restart stops for a newer value is
                    ended with all that it started, and does not count for -n.
                    """,
                examples: [
                    "watch-value settings", "watch-value -n 1 --no-initial --at .theme ./settings.json",
                    "watch-value ./settings.json --at .port --no-initial -- systemctl restart radio",
                ])
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
                    VALUE is JSON and is written as it is; - reads it from standard input, and with --string leaves out
                    one final newline, as $(…) would. --timeout bounds the wait for the lock. Content that is not JSON
                    is kept in .groupfile/ beside the value.
                    """,
                examples: ["watch-value set volume 11", "watch-value set --string title 'Good morning'"])
        case .update:
            Entry(
                operands: [.name], count: 1...1, usage: "update NAME -- COMMAND…",
                summary: "change the value under the lock", takesProgram: true,
                options: Self.place + [.timeout, .durability],
                details: """
                    COMMAND has the value on its standard input, nothing where there is none, and what it prints becomes
                    the value; where it prints what it had, the file is left alone, unless it is to be durable. Nobody who
                    takes the lock changes it meanwhile. Where COMMAND fails the value stays as it was, and the exit code is
                    COMMAND's; where it prints no JSON likewise, and the exit code is 65. Where the directory, or a link on
                    the way, was exchanged meanwhile, COMMAND runs again, with the value there. --timeout bounds the wait
                    for the lock. The second example counts from nothing, too.

                    In its environment COMMAND finds WATCH_VALUE_NAME and WATCH_VALUE_PATH; WATCH_VALUE_LOCK, the locks
                    held, a line each, for which watch-value does not wait again within COMMAND; and
                    WATCH_VALUE_LOCK_HOLDERS, the numbers of the processes that hold them. A script that holds a lock itself
                    need only set WATCH_VALUE_LOCK.
                    """,
                examples: [
                    "watch-value update counter -- jq '. + 1'", "watch-value update counter -- jq -s '.[0] + 1'",
                ])
        case .wait:
            Entry(
                operands: [.name], count: 1...1, usage: "wait NAME --for PREDICATE",
                summary: "wait until the value is as it should be",
                options: Self.place + [.for, .failWhen, .timeout],
                details: """
                    A PREDICATE is [PATH] [OP JSON]: '.state == "ready"', '.progress >= 90', '== 3', '.done'. A path alone
                    holds when that part is there and neither false nor null. Of a part that is missing only != holds.
                    --timeout 0 checks once, and exits with 1 where it does not hold. With --fail-when alone it waits until
                    that holds, and exits with 1 then; with 124 where it did not within --timeout, be that 0.
                    """,
                examples: [
                    #"watch-value wait job --for '.state == "ready"' --fail-when '.state == "failed"' --timeout 2m"#
                ])
        case .list:
            Entry(
                count: 0...0, usage: "list", summary: "the names of the group's values",
                options: Self.place + [.live, .color],
                details:
                    "With --live a table of names, values, ages and sizes, until Ctrl-C; a value is cut at 2 KiB.")
        case .remove:
            Entry(
                operands: [.name], count: 1...1, usage: "remove NAME", summary: "remove the value",
                options: Self.place + [.timeout], details: "--timeout bounds the wait for the lock.")
        case .path:
            Entry(
                operands: [.optionalName], count: 0...1, usage: "path [NAME]",
                summary: "where the value lies, or the container", options: Self.place,
                details: "It need not be there.")
        case .doctor:
            Entry(
                count: 0...0, usage: "doctor", summary: "check that everything works, and say what to do if not",
                options: Self.place + [.json],
                details: """
                    The container and its permissions, the file system, inotify's limits and their use, locks and their
                    holders, what was left behind, bad values, what bears a name that a value could have and is no file, and
                    the time from a write to another process. Exits with 1 where there is a problem.
                    """)
        case .completions:
            Entry(
                operands: [.shell], count: 1...1, usage: "completions bash|zsh|fish",
                summary: "what a shell needs to complete this command", options: [],
                examples: [
                    "source <(watch-value completions bash)", "watch-value completions fish | source",
                    "watch-value completions zsh > \"${fpath[1]}/_watch-value\"",
                ])
        }
    }

    /// What the command understands, beside its own options.
    var options: [Option] { entry.options + [.help, .version] }
}
