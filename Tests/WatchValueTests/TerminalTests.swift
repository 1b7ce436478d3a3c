import Foundation
import Testing

/// A terminal of some size, as tmux draws it.
private struct Window {
    let sandbox: Sandbox

    /// Runs `body` with a terminal in which a command runs; `done CODE` stands there when it has ended.
    static func run(_ size: String, _ command: String, in sandbox: Sandbox, _ body: (Window) throws -> Void) throws {
        let window = Window(sandbox: sandbox)
        let script = "trap : INT; \(command); echo done $?; exec cat"
        let words = "-f /dev/null -S tmux new-session -d \(size)"
        let result = try sandbox.run("export TERM=screen COMMAND='\(script)'; tmux \(words) 'sh -c \"$COMMAND\"'")
        try #require(result.code == 0, "\(result.errors)")
        defer { _ = Result { try window.tmux("kill-server") } }
        try body(window)
    }

    @discardableResult
    func tmux(_ words: String) throws -> [String] {
        try sandbox.run("tmux -f /dev/null -S tmux \(words)").output
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Waits until what the terminal shows meets a condition, and returns it.
    @discardableResult
    func shows(_ what: String, escapes: Bool = false, _ isMet: ([String]) -> Bool) throws -> [String] {
        var lines: [String] = []
        do {
            try waitUntil(what) {
                lines = try tmux("capture-pane -p\(escapes ? " -e" : "")")
                // Before there is a terminal, there is nothing on it.
                lines += Array(repeating: "", count: 10)
                return isMet(lines)
            }
        } catch {
            throw RunningScript.TimedOut(description: "\(error); it shows \(lines.joined(separator: "\n"))")
        }
        return lines
    }
}

@Suite struct TerminalTests {
    @Test(.enabled(if: Sandbox.has("tmux"), "tmux is not installed"))
    func listLive() async throws {
        try await Sandbox.run { sandbox in
            try Window.run("-x 40 -y 6", "watch-value list --live", in: sandbox) { window in
                try window.shows("no values") { $0.contains("(no values yet)") }
                try sandbox.run(
                    #"watch-value set volume 11; watch-value set title '"日本語, and more than fits in the window"'"#)
                let lines = try window.shows("two values") {
                    $0.first?.hasSuffix(": 2 values") ?? false || $0.count > 3 && $0[3].hasPrefix("volume 11")
                }
                #expect(lines[1].hasPrefix("NAME   VALUE"))
                #expect(lines[1].hasSuffix("AGE   SIZE"))
                #expect(lines[2].hasPrefix("title  \"日本語, and more"))
                #expect(lines[2].contains("…"))
                try sandbox.run("watch-value set volume 12")
                try window.shows("12") { $0.count > 3 && $0[3].hasPrefix("volume 12 ") }
                // Nobody writes to one that is linked there.
                try sandbox.run("echo 5 > linked; ln linked groups/default/linked")
                try window.shows("the linked one") { $0.contains { $0.hasPrefix("linked 5 ") } }
                try sandbox.run("rm groups/default/linked")
                try sandbox.run("echo '{' > groups/default/bad")
                // A bad one is red; what does not fit is counted.
                try window.shows("the bad one", escapes: true) {
                    $0.contains { $0.contains("[31m") && $0.contains("bad") }
                }
                try sandbox.run("watch-value set x 1; watch-value set y 1")
                try window.shows("the rest") { $0.contains { $0.hasPrefix("… and ") } }
                try sandbox.run("rm groups/default/{bad,x,y,volume}")
                try window.shows("one") { $0.count > 2 && $0[2].hasPrefix("title") && $0[3] == "" }
                try window.tmux("send-keys C-c")
                // The screen is as it was: nothing of the table is left.
                let end = try window.shows("the end") { $0.contains("done 130") }
                #expect(!end.contains { $0.contains("NAME") })
                #expect(try window.tmux("display -p '#{cursor_flag} #{alternate_on}'").first == "1 0")
            }
        }
    }

    @Test(.enabled(if: Sandbox.has("tmux"), "tmux is not installed"))
    func listLiveEndsByCtrlBackslash() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            try Window.run("-x 60 -y 10", "trap : QUIT; watch-value list --live", in: sandbox) { window in
                try window.shows("the table") { $0[2].hasPrefix("v    1") }
                try window.tmux("send-keys C-\\\\")
                let end = try window.shows("the end") { $0.contains { $0.hasSuffix("done 131") } }
                #expect(!end.contains { $0.contains("NAME") })
                #expect(try window.tmux("display -p '#{cursor_flag} #{alternate_on}'").first == "1 0")
            }
        }
    }

    @Test(.enabled(if: Sandbox.has("tmux"), "tmux is not installed"))
    func listLiveIsSuspended() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            try Window.run("-x 60 -y 10", "bash --norc --noprofile -i", in: sandbox) { window in
                try window.tmux("send-keys 'watch-value list --live' Enter")
                try window.shows("the table") { $0.contains { $0.hasPrefix("v    1") } }
                try window.tmux("send-keys C-z")
                // The screen is the shell's again.
                let screen = try window.shows("the shell") { $0.contains { $0.contains("Stopped") } }
                #expect(!screen.contains { $0.contains("NAME") })
                #expect(try window.tmux("display -p '#{cursor_flag} #{alternate_on}'").first == "1 0")
                try sandbox.run("watch-value set v 2")
                try window.tmux("send-keys fg Enter")
                try window.shows("the table") { $0[1].hasPrefix("NAME") && $0[2].hasPrefix("v    2") }
                try window.tmux("send-keys C-c")
                try window.shows("the shell") { !$0.contains { $0.contains("NAME") } }
                try window.tmux("send-keys 'exit 3' Enter")
                try window.shows("the end") { $0.contains("done 3") }
            }
        }
    }

    /// Where no shell could continue it.
    @Test(.enabled(if: Sandbox.has("tmux"), "tmux is not installed"))
    func listLiveIsNotSuspendedForEver() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            try Window.run("-x 60 -y 10", "watch-value list --live", in: sandbox) { window in
                try window.shows("the table") { $0[2].hasPrefix("v    1") }
                try window.tmux("send-keys C-z")
                try sandbox.run("watch-value set v 2")
                try window.shows("the table") { $0[2].hasPrefix("v    2") }
                try window.tmux("send-keys C-c")
                try window.shows("the end") { $0.contains("done 130") }
            }
        }
    }

    /// COMMAND runs in the background, where the terminal stops who uses it.
    @Test(
        .enabled(if: Sandbox.has("tmux"), "tmux is not installed"),
        arguments: [("read x", "reads from"), ("stty -echo", "writes to, or sets,")])
    func aCommandThatTheTerminalStopsIsNamed(_ command: String, _ doing: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1; echo '\(command) </dev/tty' > use; chmod +x use")
            // tmux ignores these signals, and so do all that it starts, but for a shell's jobs.
            try Window.run("-x 100 -y 10", "bash --norc --noprofile -i", in: sandbox) { window in
                try window.tmux("send-keys 'watch-value v -- sh use' Enter")
                let line = "watch-value: v: sh is stopped, because it \(doing) the terminal in the background"
                try window.shows("the line") { $0.contains(line) }
                try window.tmux("send-keys C-c 'exit 3' Enter")
                try window.shows("the end") { $0.contains("done 3") }
            }
        }
    }

    /// A key of the terminal is for all who run in it. A shell makes one of two signals that come at once.
    @Test(
        .enabled(if: Sandbox.has("tmux"), "tmux is not installed"),
        .enabled(if: Sandbox.has("python3"), "python3 is not installed"))
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

    @Test func listLiveInAPipe() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let list = try sandbox.start("exec watch-value list --live > >(exec cat)")
            try list.expectOutput("v    1 ")
            try sandbox.run("watch-value set v 2")
            try list.expectOutput("v    2 ")
            let result = try list.end()
            #expect(result.code == 143)
            #expect(!result.output.contains("\u{1B}"))
        }
    }

    @Test func aLongValueIsCut() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(
                "watch-value set small 1; head -c 100000 /dev/zero | tr '\\0' x | watch-value set --string big -")
            let list = try sandbox.start("exec watch-value list --live > >(exec cat)")
            try list.expectOutput("\nsmall 1 ")
            // A row is kept until its value changes, and no longer.
            try sandbox.run("watch-value set big 2")
            try list.expectOutput("\nbig   2 ")
            try sandbox.run("watch-value remove big; watch-value set big 3")
            try list.expectOutput("\nbig   3 ")
            try sandbox.run("echo '{' > groups/default/big")
            try list.expectOutput("\nbig   2:1: ")
            let lines = try list.end().lines
            #expect(lines.contains { $0.hasPrefix("big   \"xxx") && $0.contains("x… ") })
            #expect(lines.allSatisfy { $0.utf8.count < 10_000 })
            // Others are not as wide for it.
            #expect(lines.filter { $0.hasPrefix("small ") }.allSatisfy { $0.utf8.count < 120 })
        }
    }

    /// It obeys nothing: not even to go back to the beginning of a line.
    @Test(.enabled(if: Sandbox.has("tmux"), "tmux is not installed"))
    func aDumbTerminalGetsLines() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            try Window.run("-x 200 -y 30", "TERM=dumb watch-value list --live", in: sandbox) { window in
                try window.shows("the table") { $0[2].hasPrefix("v    1") }
                #expect(try window.tmux("display -p '#{cursor_flag} #{alternate_on}'").first == "1 0")
                try sandbox.run("watch-value set v 2")
                try window.shows("the next table") {
                    $0[2].hasPrefix("v    1") && $0.contains { $0.hasPrefix("v    2") }
                }
                try window.tmux("send-keys C-c")
                try window.shows("the end") { $0.contains { $0.hasSuffix("done 130") } }
            }
        }
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 2")
            try Window.run("-x 100 -y 30", "TERM=dumb watch-value --plot v", in: sandbox) { window in
                try window.shows("2") { $0[0].hasPrefix("2        ▄") }
                try sandbox.run("watch-value set v 3")
                try window.shows("3 below") { $0[0].hasPrefix("2        ▄") && $0[1].hasPrefix("3        ▁█") }
                try window.tmux("send-keys C-c")
                try window.shows("the end") { $0.contains { $0.hasSuffix("done 130") } }
            }
        }
    }

    @Test(.enabled(if: Sandbox.has("tmux"), "tmux is not installed"))
    func plotOnATerminal() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            try Window.run("-x 20 -y 5", "watch-value --plot v", in: sandbox) { window in
                try window.shows("1") { $0[0].hasPrefix("1        ▄") }
                for value in [8, 4, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8] {
                    try sandbox.run("watch-value set v \(value)")
                    try window.shows("\(value)") { $0[0].hasPrefix("\(value) ") }
                }
                // One line, as wide as the window at most.
                let lines = try window.shows("the newest") { $0[0].hasSuffix("█▁█▁█▁█") }
                #expect(lines[1] == "")
                try window.tmux("send-keys C-c")
                try window.shows("the end") { $0.contains("done 130") }
            }
        }
    }

    @Test(.enabled(if: Sandbox.has("tmux"), "tmux is not installed"))
    func whatIsNoNumberIsToldBelowThePlot() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            try Window.run("-x 100 -y 9", "watch-value --plot v", in: sandbox) { window in
                try window.shows("1") { $0[0].hasPrefix("1 ") }
                try sandbox.run("watch-value set --string v x")
                try window.shows("why it is not drawn") { $0[1].hasPrefix("watch-value: v: \"x\" is no number") }
                try sandbox.run("watch-value set v 8")
                try window.shows("8") { $0[2].hasPrefix("8        ▁█") }
                try sandbox.run("watch-value set --string v y")
                try window.shows("why it is not drawn") { $0[3].hasPrefix("watch-value: v: \"y\" is no number") }
                try window.tmux("send-keys C-c")
                try window.shows("the end") { $0.contains { $0.hasSuffix("done 130") } }
            }
        }
    }

    @Test(arguments: [
        Script("watch-value set v 2.50; watch-value v --plot -n1", "2.50     ▄\n"),
        Script("echo '{\"a\":1e3}' > f; watch-value ./f --plot --at .a -n1", "1e3      ▄\n"),
        Script(
            "watch-value set v '\"x\"'; watch-value v --plot --timeout 20ms 2>&1 | grep -c 'no number that --plot can draw'",
            "1\n"),
        Script("watch-value v --plot --diff", code: 64, error: "do not go together"),
        Script("watch-value v w --diff", code: 64, error: "one NAME"),
        Script("watch-value v --diff -- cat", code: 64, error: "--diff"),
        Script("watch-value v --events --raw", code: 64, error: "--events and --raw do not go together"),
        Script("watch-value v --pretty --diff", code: 64, error: "--diff and --pretty do not go together"),
        Script("watch-value v w --raw", code: 64, error: "--raw goes with one NAME"),
        Script("watch-value v --on-busy skip", code: 64, error: "--on-busy wants a COMMAND after --"),
        Script("watch-value v --exit-on-error", code: 64, error: "--exit-on-error wants a COMMAND after --"),
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

    @Test(
        .enabled(if: Sandbox.has("tmux"), "tmux is not installed"),
        arguments: [("", true), ("NO_COLOR=1", false), ("NO_COLOR=", true), ("TERM=dumb", false)])
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
