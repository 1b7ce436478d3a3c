/// A command, with all that parsing, help and completions need to know about it.
enum Command: String, CaseIterable {
    case watch, get, set, update, wait, list, remove, path, doctor, completions

    /// What the first word after the command is.
    enum Operand {
        /// The name of a value.
        case name
        /// The same, and more of them may follow.
        case names
        case shell
    }

    struct Entry {
        /// What shells complete there; nil if no operand belongs there, or none that they could know.
        var operand: Operand?
        /// How many operands there may be.
        let count: ClosedRange<Int>
        let usage: String
        let summary: String
        /// Whether `--` and another command may follow.
        var takesProgram = false
        let options: [Option]
        var details = ""
        var examples: [String] = []
    }

    private static let place: [Option] = [.group, .container]

    var entry: Entry {
        switch self {
        case .watch:
            Entry(
                operand: .names, count: 1...Int.max, usage: "[watch] NAME… | NAME -- COMMAND…",
                summary: "the value now, then each change", takesProgram: true,
                options: Self.place + [
                    .at, .raw, .pretty, .events, .count, .timeout, .noInitial, .onBusy, .exitOnError, .diff, .plot,
                    .color,
                ],
                details: """
                    Prints each value as one line of compact JSON, at once. A change counts if it changes the line;
                    with --at, if it changes the value of that part. With several NAMEs the output is that of --events.
                    A missing value prints nothing, a bad one a line on stderr; watching continues in both cases.

                    With COMMAND it runs COMMAND at each change instead, and for the current value, too, if there is
                    one. COMMAND gets the value on its standard input, nothing if it was removed, and WATCH_VALUE_NAME
                    and WATCH_VALUE_PATH in its environment. It runs in a process group of its own, so it cannot read
                    from the terminal. When watch-value ends, unless by SIGKILL or a fault, that group gets SIGTERM and,
                    two seconds later at the latest, SIGKILL; likewise when --on-busy restart stops a run for a newer
                    value, which does not count for -n.

                    Lines on stderr that nobody takes for a second are lost; the newest value is not.
                    """,
                examples: [
                    "watch-value settings", "watch-value -n 1 --no-initial --at .theme ./settings.json",
                    "watch-value ./settings.json --at .port --no-initial -- systemctl restart radio",
                ])
        case .get:
            Entry(
                operand: .name, count: 1...1, usage: "get NAME", summary: "the value, once",
                options: Self.place + [.at, .raw, .pretty],
                details: """
                    Exits with 66 if there is no such value or part, 65 if it is not JSON. If a name occurs twice in
                    an object, --at takes the first one, as the library does; jq takes the last.
                    """,
                examples: ["watch-value get settings --at .theme -r"])
        case .set:
            Entry(
                operand: .name, count: 2...2, usage: "set NAME VALUE|-", summary: "replace the value",
                options: Self.place + [.string, .timeout, .durability],
                details: """
                    VALUE is JSON and is written as it is; - reads it from standard input, and with --string leaves out
                    one final newline. --timeout bounds the wait for the lock. Replaced content that is not JSON is kept
                    in .groupfile/ beside the value. Missing directories are made for their owner alone; those on the
                    way to a path, within a directory of mode 2770, for its group, too.
                    """,
                examples: ["watch-value set volume 11", "watch-value set --string title 'Good morning'"])
        case .update:
            Entry(
                operand: .name, count: 1...1, usage: "update NAME -- COMMAND…",
                summary: "change the value under the lock", takesProgram: true,
                options: Self.place + [.timeout, .durability],
                details: """
                    COMMAND gets the value on its standard input, nothing if there is none, and what it prints becomes
                    the value; if it prints what it got, the file is left alone, except with --durability durable.
                    Meanwhile no other program that takes the lock can change the value: until COMMAND has ended, and
                    all processes that it leaves behind have closed its standard output. If COMMAND fails, the value
                    stays as it was, and the exit code is COMMAND's; if it does not print JSON, the value stays, too,
                    and the exit code is 65. If the directory, or a link on the path, is replaced meanwhile, COMMAND
                    runs again, with the value that is there then. A signal that ends watch-value is passed on to
                    COMMAND, whose end is waited for; the value stays as it was, whatever COMMAND does then, and what it
                    has started, and does not end with it, goes on without the lock. So does COMMAND after SIGKILL or a
                    fault of watch-value. --timeout bounds the wait for the lock. Missing directories are made before
                    COMMAND runs, as by set. The second example works even if there is no value yet.

                    The environment of COMMAND has WATCH_VALUE_NAME and WATCH_VALUE_PATH; WATCH_VALUE_LOCK, the locks
                    that are held, one per line: within COMMAND watch-value exits with 64 rather than wait for one of
                    them; and WATCH_VALUE_LOCK_HOLDERS, the IDs of the processes that hold them. A script that holds a
                    lock itself need only set WATCH_VALUE_LOCK.
                    """,
                examples: [
                    "watch-value update counter -- jq '. + 1'", "watch-value update counter -- jq -s '.[0] + 1'",
                ])
        case .wait:
            Entry(
                operand: .name, count: 1...1, usage: "wait NAME --for PREDICATE",
                summary: "wait until a condition holds",
                options: Self.place + [.for, .failWhen, .at, .timeout],
                details: """
                    A PREDICATE is [PATH] [OP JSON]: '.state == "ready"', '.progress >= 90', '== 3', '.done'. With --at
                    it is about that part. A path alone holds if that part exists and is neither false nor null. For a
                    missing part only != holds. < and > compare two numbers or two strings; <= and >= also hold for
                    equal values of any type.

                    If both predicates hold, the exit code is 1. --timeout 0 checks once, and exits with 1 if the
                    predicate does not hold; with --fail-when alone, with 1 if that holds, else with 124. Content that
                    does not decode, or cannot be read, prints a line on stderr, and waiting continues: the exit code is
                    never 65.
                    """,
                examples: [
                    #"watch-value wait job --for '.state == "ready"' --fail-when '.state == "failed"' --timeout 2m"#
                ])
        case .list:
            Entry(
                count: 0...0, usage: "list", summary: "the names of the group's values",
                options: Self.place + [.live, .color],
                details:
                    "--live shows a table of names, values, ages and sizes, until Ctrl-C; values are cut at 2 KiB.")
        case .remove:
            Entry(
                operand: .name, count: 1...1, usage: "remove NAME", summary: "remove the value",
                options: Self.place + [.timeout], details: "--timeout bounds the wait for the lock.")
        case .path:
            Entry(
                operand: .name, count: 0...1, usage: "path [NAME]",
                summary: "the path of the value, or of the container", options: Self.place,
                details: """
                    Neither need exist. A group's container is $GROUP_CONTAINERS/ID; GROUP_CONTAINERS defaults to
                    $XDG_DATA_HOME/group-containers, or else ~/.local/share/group-containers.
                    """)
        case .doctor:
            Entry(
                count: 0...0, usage: "doctor", summary: "check that everything works, and say what to do if not",
                options: Self.place + [.json],
                details: """
                    Checks the container and its permissions, the file system, inotify's limits and their use, locks and
                    their holders, leftovers, bad values, entries with a valid value name that are not files, and how
                    long a write takes to reach another process. Exits with 1 if there is a problem.
                    """)
        case .completions:
            Entry(
                operand: .shell, count: 1...1, usage: "completions bash|zsh|fish",
                summary: "print the completion script for a shell", options: [],
                examples: [
                    "source <(watch-value completions bash)", "watch-value completions fish | source",
                    "watch-value completions zsh > \"${fpath[1]}/_watch-value\"",
                ])
        }
    }

    /// The command's own options, and those that every command has.
    var options: [Option] { entry.options + [.help, .version] }
}
