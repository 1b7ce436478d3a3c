import Foundation
import TestSupport
import Testing

@Suite struct UpdateTests {
    @Test(arguments: [
        Script(
            "watch-value set n 1; watch-value update n -- sh -c 'read n; echo $((n + 1))'; watch-value get n", "2\n"),
        Script("watch-value update n -- sh -c 'wc -c; cat'; watch-value get n", "0\n"),
        Script("watch-value update n -gx -- echo 1; watch-value get -gx n", "1\n"),
        Script("watch-value update ./f -- echo '[ 1 ]'; cat f", "[ 1 ]\n"),
        Script("watch-value update n --durability relaxed -- echo -n 5; watch-value get n", "5\n"),
        Script("watch-value update -- n -- echo 5; watch-value get n", "5\n"),
        Script(
            #"watch-value update ./f -- sh -c 'echo "[\"$WATCH_VALUE_NAME\",\"$WATCH_VALUE_PATH\"]"'; sed "s|$PWD/|-|" f"#,
            #"["./f","-f"]"# + "\n"),
        Script(
            "watch-value update n -- sh -c 'echo \"\\\"$WATCH_VALUE_LOCK\\\"\"'; watch-value get -r n | grep -c '/groups/default/.groupfile/n.lock$'",
            "1\n"),
    ])
    func changes(_ script: Script) async throws {
        try await script.check()
    }

    @Test func commandGetsCompactJSON() async throws {
        try await Sandbox.run { sandbox throws in
            try sandbox.run(#"watch-value set n '{"b":1.0, "a":2}'"#)
            #expect(
                try sandbox.run("watch-value update n -- sh -c 'cat >&2; echo 3'").errors == #"{"b":1.0,"a":2}"# + "\n")
        }
    }

    @Test(
        arguments: [
            ("exit 7", 7, "exited with 7"),
            ("echo 2; exit 7", 7, "exited with 7"),
            ("kill -9 $$", 137, "signal 9"),
            ("true", 65, "printed nothing; "),
            ("echo oops", 65, "did not print JSON: 1:1: Expected a value, found 'o'; "),
            ("echo 1 2", 65, "did not print JSON: 1:3"),
            ("yes", 65, "more than 16777216 bytes"),
        ] as [(String, Int32, String)])
    func failureLeavesTheValueAsItWas(_ command: String, _ code: Int32, _ error: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set n 1")
            let result = try sandbox.run("watch-value update n -- sh -c '\(command)'")
            #expect(result.code == code)
            #expect(result.errors.hasPrefix("watch-value: n: sh "))
            #expect(result.errors.contains(error))
            #expect(result.errors.hasSuffix("is unchanged\n"))
            #expect(try sandbox.text("groups/default/n") == "1\n")
            #expect(try sandbox.run("ls groups/default/.groupfile").lines == ["n.lock"])
        }
    }

    @Test(arguments: [
        Script(
            "watch-value update n", code: 64, error: "name a COMMAND after --; the usage is watch-value update NAME"),
        Script("watch-value update n cat", code: 64, error: "name a COMMAND after --; the usage is watch-value update"),
        Script("watch-value update n m -- cat", code: 64, error: "too many words: \"m\""),
        Script("watch-value update n --", code: 64, error: "COMMAND"),
        Script("watch-value update n -- ./no-such-command", code: 127, error: "no command ./no-such-command"),
        Script("touch f; watch-value update n -- ./f", code: 126, error: "cannot execute ./f: Permission denied"),
        Script("touch f; watch-value update n -- ./f/x", code: 126, error: "cannot execute ./f/x: Not a directory"),
        Script(
            "printf 'x\\0' > f; chmod +x f; watch-value update n -- ./f", code: 126,
            error: "cannot execute ./f: Exec format error"),
        Script(
            "printf '#!/no/such\\n' > f; chmod +x f; watch-value update n -- ./f", code: 127,
            error: "cannot execute ./f: its interpreter is missing"),
        Script(
            "printf '#!/no/such\\n' > f; chmod +x f; PATH=$PATH:$PWD watch-value update n -- f", code: 127,
            error: "cannot execute f: its interpreter is missing"),
        Script("echo '{' > f; watch-value update ./f -- echo 1", code: 65, error: "./f: 2:1: "),
        Script("mkdir d; watch-value update ./d -- echo 1", code: 74, error: "directory"),
        Script(
            "watch-value set n 1; flock groups/default/.groupfile/n.lock watch-value update n --timeout 50ms -- echo 2",
            code: 124, error: "n: could not acquire the lock within 0.05 seconds: "),
        Script(
            "watch-value set n 1; flock groups/default/.groupfile/n.lock watch-value update n --timeout 0 -- echo 2",
            code: 124, error: "n: could not acquire the lock at once: "),
    ])
    func failures(_ script: Script) async throws { try await script.check() }

    /// An empty PATH counts as unset: programs are then found in the default directories.
    @Test func anEmptyPATHCountsAsUnset() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                echo 1 > f; command=$(command -v watch-value)
                PATH= "$command" update ./f -- printf 2; echo $?
                PATH= "$command" -n 1 ./f -- cat; echo $?
                PATH= "$command" update ./f -- no-such-command; echo $?
                """)
            #expect(result.lines == ["0", "2", "0", "127"])
            #expect(result.errors == "watch-value: ./f: there is no command no-such-command\n")
        }
    }

    /// As with execvp(3), and so with env, timeout and flock: the shell runs a script even if its first line does not
    /// say so.
    @Test func aScriptWithoutAnInterpreterIsTheShells() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                echo 1 > f; mkdir bin closed
                printf 'read x; echo $((x + $#)); echo "$0|$1|$2" >&2' > bin/raise-it; chmod +x bin/raise-it
                printf '\\177ELF\\0\\0' > bin/program; chmod +x bin/program; touch closed/raise-it
                watch-value update ./f -- ./bin/raise-it 'a b' ''; cat f
                PATH=$PWD/closed:$PATH:$PWD/bin watch-value update ./f -- raise-it; cat f
                watch-value -n 1 ./f -- ./bin/raise-it -c
                watch-value update ./f -- ./bin/program; echo $?
                """)
            #expect(result.lines == ["3", "3", "4", "126"])
            #expect(
                result.errors == """
                    ./bin/raise-it|a b|
                    \(sandbox.path("bin/raise-it"))||
                    ./bin/raise-it|-c|
                    watch-value: ./f: cannot execute ./bin/program: Exec format error

                    """)
        }
    }

    /// As in shells: a directory that may not be entered is passed over, and is not reported as the error.
    @Test(.enabled(if: getuid() != 0 || Tools.has("setpriv"), "setpriv is not installed"))
    func aDirectoryOnPATHThatIsClosedHasNoCommands() async throws {
        try await Sandbox.run { sandbox in
            let user = getuid() == 0 ? "setpriv --reuid 65534 --clear-groups" : ""
            let result = try sandbox.run(
                """
                chmod 755 .; mkdir -m 0 closed; mkdir -m 777 c; touch locked; PATH=$PWD/closed:$PATH:$PWD
                for command in no-such-command locked; do
                    \(user) watch-value --container c update n -- $command; echo $?
                done
                chmod 700 closed
                """)
            #expect(result.lines == ["127", "126"])
            #expect(
                result.errors == """
                    watch-value: n: there is no command no-such-command
                    watch-value: n: cannot execute locked: Permission denied

                    """)
        }
    }

    /// COMMAND gets the value in compact form, however the file spells it.
    @Test(arguments: [#"\xef\xbb\xbf{"a":1}\n"#, #"\xef\xbb\xbf 5"#, #"{ "a" : 1 }\r\n"#, #"["\u0041\/", 1.0e+1]"#])
    func whatCOMMANDGotIsLeftAlone(_ content: String) async throws {
        for arguments in ["", "--durability durable"] {
            try await Sandbox.run { sandbox in
                let result = try sandbox.run(
                    """
                    printf '%b' '\(content.replacingOccurrences(of: #"\u"#, with: #"\\u"#))' > f; cp f before; ln f link
                    watch-value update ./f \(arguments) -- cat && cmp f before && stat -c %h f
                    watch-value update ./f \(arguments) -- echo 7 && cat f
                    """)
                #expect(result.errors == "")
                #expect(result.lines == [arguments.isEmpty ? "2" : "1", "7"])
            }
        }
    }

    @Test func undecodableContentIsLeftAlone() async throws {
        try await Sandbox.run { sandbox throws in
            #expect(try sandbox.run("echo oops > f; watch-value update ./f -- echo 1").code == 65)
            #expect(try sandbox.text("f") == "oops\n")
        }
    }

    @Test(arguments: ["set n 2", "update n -- echo 2", "remove n"])
    func theSameLockFromInsideFailsAtOnce(_ words: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set n 1")
            let nested = try sandbox.run("watch-value update n -- watch-value \(words)")
            #expect(nested.code == 64)
            #expect(nested.errors.contains("n: this runs within an update of the same value"))
            // Reading, and other values, are allowed, also inside two nested updates.
            let others = try sandbox.run(
                "watch-value update n -- watch-value update m -- sh -c 'watch-value set o 5; watch-value get n; watch-value \(words)'"
            )
            #expect(others.code == 64)
            #expect(try sandbox.text("groups/default/o") == "5\n")
            #expect(try sandbox.text("groups/default/n") == "1\n")
            // The variable outlives the update here, and nobody holds the lock.
            let late = try sandbox.run("WATCH_VALUE_LOCK=$PWD/groups/default/.groupfile/n.lock watch-value set n 3")
            #expect(late.code == 0)
        }
    }

    /// The variable that COMMAND gets lives as long as the processes that COMMAND started.
    @Test func whatOutlivesTheUpdateWaitsForTheLockAsAnybody() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set n 1; mkfifo go")
            let daemon = "read x < go; watch-value set n 3 --timeout 100ms; echo code $?"
            #expect(
                try sandbox.run(
                    "DAEMON='\(daemon)' watch-value update n -- sh -c 'sh -c \"$DAEMON\" >out 2>&1 & echo 2'"
                )
                .code == 0)
            let holder = try sandbox.holdLock(of: "n")
            try sandbox.run("echo x > go")
            try waitUntil("the daemon's end") { try sandbox.text("out").contains("code") }
            #expect(try sandbox.text("out").hasSuffix("holds it; wait for it to finish, or end it\ncode 124\n"))
            try holder.end()
        }
    }

    /// A script has to know and set only this variable.
    @Test(arguments: ["set n 2", "update n -- echo 2", "remove n", "update m -- watch-value set n 2"])
    func aLockThatAScriptNamesFailsAtOnce(_ words: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                watch-value set n 1; cd groups/default; lock=.groupfile/n.lock
                exec flock $lock env WATCH_VALUE_LOCK=$lock timeout -s KILL 60 watch-value \(words)
                """)
            #expect(result.code == 64)
            #expect(result.errors.contains("n: this runs within an update of the same value"))
            #expect(try sandbox.text("groups/default/n") == "1\n")
        }
    }

    /// The orphan's parent has ended, but not the update, which waits until no process holds its output open.
    @Test func anOrphanIsWithinTheUpdate() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set n 1; mkfifo go")
            let orphan = "read x < go; watch-value set n 3 2>errors"
            let update = try sandbox.start(
                "ORPHAN='\(orphan)' exec timeout 60 watch-value update n -- sh -c 'sh -c \"$ORPHAN\" & echo 2; echo $$ >&2'"
            )
            try update.expectError("\n")
            let parent = update.errors.trimmingCharacters(in: .whitespacesAndNewlines)
            try waitUntil("the parent's end") { try !sandbox.isRunning(parent) }
            try sandbox.run("echo x > go")
            #expect(try update.result().code == 0)
            #expect(try sandbox.text("errors").contains("n: this runs within an update of the same value"))
            #expect(try sandbox.run("watch-value get n").output == "2\n")
        }
    }

    @Test func aDirectoryWithALineBreakInItsName() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                #"""
                export D=$'a\nb'; watch-value --container "$D" set n 1
                timeout 60 watch-value --container "$D" update n -- sh -c 'watch-value --container "$D" set n 2'
                """#)
            #expect(result.code == 64)
            #expect(result.errors.hasPrefix("watch-value: n: this runs within an update of the same value"))
        }
    }

    @Test func aVariableThatIsNotUTF8MakesNothing() async throws {
        try await Script(
            "WATCH_VALUE_LOCK=$'\\xff' watch-value set n 1; code=$?; ls; exit $code", code: 64, error: "UTF-8"
        )
        .check()
    }

    @Test(.needs("jq"), arguments: TemporaryDirectory.Place.allCases)
    func tenShellsLoseNothing(_ place: TemporaryDirectory.Place) async throws {
        try await Sandbox.run(place) { sandbox in
            try sandbox.run("watch-value set counter 0")
            let shells = try (0..<10).map { _ in
                try sandbox.start(
                    "for i in 1 2 3 4 5; do watch-value update counter --durability relaxed -- jq '.+1' || exit; done")
            }
            for shell in shells { #expect(try shell.result().code == 0) }
            #expect(try sandbox.run("watch-value get counter").output == "50\n")
        }
    }

    @Test(arguments: [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGXCPU, SIGPWR, 34])
    func aSignalIsPassedOnAndLeavesTheValue(_ signal: Int32) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set n 1")
            let update = try sandbox.watch("update n -- sh -c 'echo $$ >&2; echo 2; exec sleep 300'")
            try update.expectError("\n")
            let child = update.errors.trimmingCharacters(in: .whitespacesAndNewlines)
            update.send(signal)
            let result = try update.result()
            #expect(result.code == 128 + signal)
            #expect(!result.wasKilled)
            #expect(result.errors.hasSuffix("\nwatch-value: n: ended by signal \(signal); the value is unchanged\n"))
            #expect(try sandbox.run("kill -0 \(child) 2>/dev/null").code != 0)
            #expect(try sandbox.run("watch-value get n && watch-value set n 3").output == "1\n")
        }
    }

    /// A process that COMMAND started may outlive it, and hold its output open.
    @Test func aSignalDoesNotWaitForTheEndOfTheOutput() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set n 1")
            let update = try sandbox.watch("update n -- sh -c 'sleep 3000 2>&- & echo $! >&2; wait'")
            try update.expectError("\n")
            let sleep = update.errors.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(try update.end().code == 143)
            #expect(try sandbox.run("kill \(sleep) && watch-value get n && watch-value set n 3").output == "1\n")
        }
    }

    /// The signal of a terminal's key would reach COMMAND, too, and a stopped COMMAND would not take it, either.
    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalEndsACommandThatIsStopped(_ signal: Int32) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set n 1")
            let update = try sandbox.watch("update n -- bash -c 'echo $$ >&2; kill -STOP $$; echo 2'")
            try update.expectError("\n")
            let child = update.errors.trimmingCharacters(in: .whitespacesAndNewlines)
            try waitUntil("its stop") { try sandbox.run("grep ') T ' /proc/\(child)/stat").code == 0 }
            update.send(signal)
            #expect(try update.result().code == 128 + signal)
            #expect(try sandbox.run("watch-value get n && watch-value set n 3 --timeout 0").output == "1\n")
        }
    }

    @Test func countingFromNothing() async throws {
        // COMMAND of the help's example has nothing to count on.
        try await Script(
            "watch-value update n -- cat", code: 65, error: "n: there is no value yet, and cat printed nothing"
        )
        .check()
    }

    @Test(.needs("jq"))
    func theExampleOfTheHelpCounts() async throws {
        try await Sandbox.run { sandbox in
            let help = try sandbox.run("watch-value update --help")
            let example = try #require(help.lines.last { $0.contains("jq") })
            #expect(try sandbox.run("\(example); \(example); watch-value get counter").output == "2\n")
        }
    }

    @Test func theLockIsHeldWhileItRuns() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set n 1; mkfifo go")
            let update = try sandbox.watch("update n -- sh -c 'echo begun >&2; read x < go; echo 2'")
            try update.expectError("begun")
            let set = try sandbox.run("watch-value set n 3 --timeout 50ms")
            #expect(set.code == 124)
            #expect(set.errors.contains("\(update.identifier) (watch-value)"))
            try sandbox.run("echo x > go")
            #expect(try update.result().code == 0)
            #expect(try sandbox.run("watch-value get n").output == "2\n")
        }
    }

    @Test(arguments: [
        Script("watch-value set n 1; watch-value remove n; watch-value get n", code: 66, error: "n: "),
        Script("watch-value remove n; ls", code: 0, error: "no such value"),
        Script("watch-value remove n", code: 66, error: "no such value"),
        Script("watch-value remove ./f", code: 66, error: "no such value"),
        Script("echo 1 > f; watch-value remove ./f; ls", ""),
        Script("echo oops > f; watch-value remove ./f; ls", ""),
        Script("watch-value remove", code: 64, error: "remove NAME"),
        Script("mkdir d; watch-value remove ./d", code: 74, error: "directory"),
        Script(
            "watch-value set n 1; flock groups/default/.groupfile/n.lock watch-value remove n --timeout 50ms",
            code: 124, error: "flock"),
    ])
    func remove(_ script: Script) async throws { try await script.check() }
}
