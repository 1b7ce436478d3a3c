import TestSupport
import Testing

@Suite struct TerminalTests {
    /// COMMAND runs in the background, where the terminal stops processes that use it.
    @Test(.needs("tmux"), arguments: [("read x", "reads from"), ("stty -echo", "writes to, or sets,")])
    func aCommandThatTheTerminalStopsIsNamed(_ command: String, _ doing: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1; echo '\(command) </dev/tty' > use; chmod +x use")
            // tmux ignores these signals, and so does everything that it starts, except a shell's jobs.
            try Window.run("-x 100 -y 10", "bash --norc --noprofile -i", in: sandbox) { window in
                try window.tmux("send-keys 'watch-value v -- sh use' Enter")
                let line = "watch-value: v: sh is stopped, because it \(doing) the terminal in the background"
                try window.shows("the line") { $0.contains(line) }
                try window.tmux("send-keys C-c 'exit 3' Enter")
                try window.shows("the end") { $0.contains("done 3") }
            }
        }
    }

    /// The shell does so with every program that reads from the terminal in the background.
    @Test(.needs("tmux"))
    func readingInTheBackgroundWaitsForTheShell() async throws {
        try await Sandbox.run { sandbox in
            try Window.run("-x 100 -y 20", "bash --norc --noprofile -i", in: sandbox) { window in
                try window.tmux("send-keys 'watch-value set v - &' Enter Enter")
                try window.shows("a process") { $0.contains { $0.hasPrefix("[1] ") } }
                var report: String?
                try waitUntil("the shell's report, which comes with its next prompt") {
                    try window.tmux("send-keys Enter")
                    report = try window.tmux("capture-pane -p").first { $0.hasPrefix("[1]+ ") }
                    return report != nil
                }
                #expect(report?.hasPrefix("[1]+  Stopped ") == true, "\(report ?? "")")
                try window.tmux("send-keys fg Enter")
                try window.shows("it in the foreground") { $0.contains("watch-value set v -") }
                try window.tmux("send-keys 12 Enter")
                try waitUntil("the value") {
                    try window.tmux("send-keys C-d")
                    return try sandbox.run("watch-value get v").output == "12\n"
                }
            }
        }
    }

    /// A key of the terminal sends its signal to all processes that run there. A shell would take two signals that come
    /// at once for one.
    @Test(.needs("tmux", "python3"))
    func ctrlCReachesTheCommandOfAnUpdateOnce() async throws {
        try await Sandbox.run { sandbox in
            let command = """
                import os, signal, time
                def tell(text): open("told", "a").write(text)
                reading, writing = os.pipe()
                os.set_blocking(writing, False)
                signal.set_wakeup_fd(writing)
                signal.signal(signal.SIGINT, lambda *_: None)
                tell("begun ")
                os.read(reading, 1)
                tell("interrupted ")
                while not os.path.exists("go"): time.sleep(0.01)
                os.set_blocking(reading, False)
                try: tell("again " * len(os.read(reading, 9)))
                except BlockingIOError: tell("once")
                """
            try sandbox.run("watch-value set n 1; touch told; cat > command", input: command)
            try Window.run("-x 60 -y 10", "watch-value update n -- python3 command", in: sandbox) { window in
                try waitUntil("COMMAND") { try sandbox.text("told").hasSuffix("begun ") }
                try window.tmux("send-keys C-c")
                try waitUntil("the signal") { try sandbox.text("told").hasSuffix("interrupted ") }
                try sandbox.run("touch go")
                try window.shows("the end") { $0.contains { $0.hasSuffix("done 130") } }
                #expect(try sandbox.text("told") == "begun interrupted once")
                #expect(try sandbox.run("watch-value get n").output == "1\n")
            }
        }
    }

    /// A shell ends its script only if the command died of Ctrl-C.
    @Test(
        .needs("tmux"),
        arguments: [
            "watch-value --raw n", "watch-value n -- cat",
            "watch-value update n -- sh -c \"echo begun >&2; exec sleep 300\"",
        ])
    func ctrlCEndsTheScriptThatRunsTheCommand(command: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set n '\"begun\"'; cat > script", input: "\(command)\necho continued\n")
            try Window.run("-x 60 -y 10", "bash script", in: sandbox) { window in
                try window.shows("the beginning") { $0.contains { $0.contains("begun") } }
                try window.tmux("send-keys C-c")
                let end = try window.shows("the end") { $0.contains { $0.hasSuffix("done 130") } }
                #expect(!end.contains { $0.contains("continued") }, "\(end)")
            }
        }
    }

    /// Whoever sends the signal gets the exit code.
    @Test(.needs("python3")) func aSignalOfAnotherProcessEndsWithACode() async throws {
        let sends = """
            import signal, subprocess
            command = subprocess.Popen(["watch-value", "n"], stdout=subprocess.PIPE)
            command.stdout.readline()
            command.send_signal(signal.SIGINT)
            print(command.wait())
            """
        try await Script("watch-value set n 1; python3 -c '\(sends)'", "130\n").check()
    }

    @Test(arguments: [
        Script("watch-value set v 2.50; watch-value v --plot -n1", "2.50     ▄\n"),
        Script("echo '{\"a\":1e3}' > f; watch-value ./f --plot --at .a -n1", "1e3      ▄\n"),
        Script(
            "watch-value set v '\"x\"'; watch-value v --plot --timeout 20ms 2>&1 | grep -c 'not a number that --plot can draw'",
            "1\n"),
        Script("watch-value v --plot --diff", code: 64, error: "cannot be combined"),
        Script("watch-value v w --diff", code: 64, error: "one NAME"),
        Script("watch-value v --diff -- cat", code: 64, error: "--diff"),
        Script("watch-value v --events --raw", code: 64, error: "--events and --raw cannot be combined"),
        Script("watch-value v --pretty --diff", code: 64, error: "--diff and --pretty cannot be combined"),
        Script("watch-value v w --raw", code: 64, error: "--raw takes only one NAME"),
        Script("watch-value v --on-busy skip", code: 64, error: "--on-busy needs a COMMAND after --"),
        Script("watch-value v --exit-on-error", code: 64, error: "--exit-on-error needs a COMMAND after --"),
        Script("watch-value v --color sometimes", code: 64, error: "auto, always, never"),
        Script("watch-value get v --diff", code: 64, error: "belongs to watch"),
    ])
    func once(_ script: Script) async throws { try await script.check() }

    @Test(arguments: [
        ("--color always", true), ("--color=never", false), ("", false), ("--color auto", false),
    ])
    func differences(_ words: String, _ isColored: Bool) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(#"watch-value set v '{"a":1,"b":[1,2],"c":"x"}'"#)
            let watch = try sandbox.watch("--diff v \(words)")
            try watch.expectLines(1)
            try sandbox.run(#"watch-value set v '{"b":[1], "a":1.0, "c":"y", "d":{"e":[]}}'"#)
            try watch.expectLines(4)
            try sandbox.run("watch-value remove v")
            try watch.expectLines(5)
            try sandbox.run("watch-value set v 1")
            try watch.expectLines(6)
            let result = try watch.end()
            #expect(result.output.contains("\u{1B}[31m") == isColored)
            let plain = result.output.replacing(#/\u{1B}\[[0-9]+m/#, with: "").split(separator: "\n")
            #expect(
                plain == [
                    #"{"a":1,"b":[1,2],"c":"x"}"#, ".b[1]: - 2", #".c: "x" → "y""#, #".d: + {"e":[]}"#,
                    #".: - {"b":[1],"a":1.0,"c":"y","d":{"e":[]}}"#, ".: + 1",
                ])
        }
    }

    @Test(.needs("tmux"), arguments: [("", true), ("NO_COLOR=1", false), ("NO_COLOR=", true), ("TERM=dumb", false)])
    func coloursOnATerminal(_ environment: String, _ isColored: Bool) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            try Window.run("-x 40 -y 5", "\(environment) watch-value v --diff", in: sandbox) { window in
                try window.shows("1") { $0[0] == "1" }
                try sandbox.run("watch-value set v 2")
                try window.shows("the difference") { $0[1] == ".: 1 → 2" }
                let lines = try window.shows("it", escapes: true) { $0[1].contains("→") }
                #expect(lines[1].contains("[31m") == isColored)
            }
        }
    }
}
