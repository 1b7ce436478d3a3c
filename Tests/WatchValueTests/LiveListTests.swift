import TestSupport
import Testing

@Suite struct LiveListTests {
    @Test(.needs("tmux"))
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
                // Many terminals clear the last column together with what follows it.
                #expect(lines[1].hasSuffix("AGE   SIZE") && lines[1].count == 39)
                #expect(lines[2].hasPrefix("title  \"日本語, and more"))
                #expect(lines[2].contains("…"))
                try sandbox.run("watch-value set volume 12")
                try window.shows("12") { $0.count > 3 && $0[3].hasPrefix("volume 12 ") }
                // A file linked into the container is shown, too, although nobody writes to it there.
                try sandbox.run("echo 5 > linked; ln linked groups/default/linked")
                try window.shows("the linked one") { $0.contains { $0.hasPrefix("linked 5 ") } }
            }
        }
    }

    @Test(.needs("tmux"))
    func listLiveOfABadValueAndOfMoreThanFit() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set title 1; watch-value set volume 2; echo '{' > groups/default/bad")
            try Window.run("-x 40 -y 6", "watch-value list --live", in: sandbox) { window in
                // A bad value is red. Rows that do not fit are counted.
                try window.shows("the bad one", escapes: true) {
                    $0.contains { $0.contains("[31m") && $0.contains("bad") }
                }
                try sandbox.run("watch-value set x 1; watch-value set y 1")
                try window.shows("the rest") { $0.contains { $0.hasPrefix("… and ") } }
                try sandbox.run("rm groups/default/{bad,x,y,volume}")
                try window.shows("one") { $0.count > 2 && $0[2].hasPrefix("title") && $0[3] == "" }
            }
        }
    }

    /// A line is kept however wide the terminal draws such letters: an emoji with a skin tone is wider in tmux than in
    /// others.
    @Test(.needs("tmux"), arguments: ["น้ำ", "क्षि", "நி", "👍🏽"])
    func lettersOfManyScalarsKeepTheirLine(_ letter: String) async throws {
        try await Sandbox.run { sandbox in
            let text = String(repeating: letter, count: 40)
            try sandbox.run("watch-value set --string a '\(text)'; watch-value set z 1")
            try Window.run("-x 50 -y 10", "LC_ALL=C.UTF-8 watch-value list --live", in: sandbox) { window in
                let lines = try window.shows("the table") { $0.contains { $0.hasPrefix("z    1") } }
                #expect(lines[2].hasPrefix("a    \"") && lines[3].hasPrefix("z    1"), "\(lines)")
                try window.tmux("send-keys C-c")
                try window.shows("the end") { $0.contains("done 130") }
                #expect(try window.tmux("display -p '#{wrap_flag}'").first == "1")
            }
        }
    }

    /// The screen is as before: nothing of the table is left.
    @Test(.needs("tmux"))
    func listLiveEndsByCtrlC() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            try Window.run("-x 60 -y 10", "watch-value list --live", in: sandbox) { window in
                try window.shows("the table") { $0[2].hasPrefix("v    1") }
                try window.tmux("send-keys C-c")
                let end = try window.shows("the end") { $0.contains("done 130") }
                #expect(!end.contains { $0.contains("NAME") })
                #expect(try window.tmux("display -p '#{cursor_flag} #{alternate_on}'").first == "1 0")
            }
        }
    }

    @Test(.needs("tmux"))
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

    @Test(.needs("tmux"))
    func listLiveIsSuspended() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            try Window.run("-x 60 -y 10", "bash --norc --noprofile -i", in: sandbox) { window in
                try window.tmux("send-keys 'watch-value list --live' Enter")
                try window.shows("the table") { $0.contains { $0.hasPrefix("v    1") } }
                try window.tmux("send-keys C-z")
                // The shell's screen is back.
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

    /// Ctrl-Z does nothing where no shell could continue the process.
    @Test(.needs("tmux"))
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

    /// Swift takes two spellings of é for equal strings; as names they are two values.
    @Test func twoSpellingsAreTwoRows() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set $'\\u00e9' 1; watch-value set $'e\\u0301' 2")
            let list = try sandbox.start("exec watch-value list --live > >(exec cat)")
            try list.expectOutput(": 2 values")
            try sandbox.run("watch-value set $'\\u00e9' 3")
            try list.expectOutput("\u{E9}    3 ")
            let rows = try list.end().lines.filter { $0.hasSuffix(" 2") }.map { Array($0.utf8) }
            #expect(rows.contains { $0.starts(with: Array("\u{E9}    1 ".utf8)) })
            #expect(rows.contains { $0.starts(with: Array("e\u{301}    2 ".utf8)) })
        }
    }

    @Test func noNameOrValueReordersItsLine() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set 'a\u{202E}b' '\"\u{2067}c\"'")
            let list = try sandbox.watch("list --live")
            try list.expectLines(3)
            #expect(list.lines[2].hasPrefix(#"a\u{202E}b "\u{2067}c" "#), "\(list.lines)")
            #expect(try list.end().code == 143)
        }
    }

    /// A table that has not changed is not printed again. Here a directory without values comes and goes.
    @Test func inAPipeEachTableIsPrintedOnce() async throws {
        try await Sandbox.run { sandbox in
            let list = try sandbox.start("exec watch-value list --live > >(exec cat)")
            try list.expectOutput("(no values yet)")
            try sandbox.run("for i in $(seq 100); do mkdir -p groups/default; rmdir groups/default; done")
            try sandbox.run("watch-value set v 1")
            try list.expectOutput("v    1 ")
            #expect(try list.end().lines.count { $0 == "(no values yet)" } == 1)
        }
    }

    @Test func aLongValueIsCut() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(
                "watch-value set small 1; head -c 100000 /dev/zero | tr '\\0' x | watch-value set --string big -")
            let list = try sandbox.start("exec watch-value list --live > >(exec cat)")
            try list.expectOutput("\nsmall 1 ")
            // A cached row is kept until its value changes, and no longer.
            try sandbox.run("watch-value set big 2")
            try list.expectOutput("\nbig   2 ")
            try sandbox.run("watch-value remove big; watch-value set big 3")
            try list.expectOutput("\nbig   3 ")
            try sandbox.run("echo '{' > groups/default/big")
            try list.expectOutput("\nbig   2:1: ")
            let lines = try list.end().lines
            #expect(lines.contains { $0.hasPrefix("big   \"xxx") && $0.contains("x… ") })
            #expect(lines.allSatisfy { $0.utf8.count < 10_000 })
            // The wide row does not widen the others.
            #expect(lines.filter { $0.hasPrefix("small ") }.allSatisfy { $0.utf8.count < 120 })
        }
    }

    /// Five times as many values take about five times as long, not twenty-five times.
    @Test func theFirstTableTakesTimeInProportionToTheValues() async throws {
        try await Sandbox.run(.memory) { sandbox in
            let result = try sandbox.run(
                """
                TIMEFORMAT=%U
                for count in 3000 15000; do
                  mkdir $count; for ((i = 0; i < count; i++)); do echo 1 > $count/v$i; done
                  time watch-value list --live --container $count | head -n 1
                done
                """)
            #expect(result.lines.map { $0.hasSuffix("000 values") } == [true, true], "\(result.lines)")
            let times = result.errors.split(separator: "\n").compactMap { Double($0) }
            try #require(times.count == 2, "\(result.errors)")
            #expect(times[1] < times[0] * 9, "\(times)")
        }
    }

    /// A dumb terminal obeys no commands, not even to go back to the beginning of a line.
    @Test(.needs("tmux"))
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
}
