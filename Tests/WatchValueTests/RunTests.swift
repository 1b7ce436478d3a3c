import Foundation
import TestSupport
import Testing

@Suite struct RunTests {
    @Test func runsForTheInitialValueAndEachChange() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(#"watch-value set v '{ "a": 1 }'"#)
            let watch = try sandbox.watch("v -- sh -c 'echo \"$(cat) $WATCH_VALUE_NAME $WATCH_VALUE_PATH\"'")
            let end = "v \(sandbox.path("groups/default/v"))"
            try watch.expectLast(#"{"a":1} \#(end)"#)
            try sandbox.run("watch-value set v 2")
            try watch.expectLast("2 \(end)")
            try sandbox.run("rm groups/default/v")
            try watch.expectLast(" \(end)")
            try sandbox.run("echo '{' > groups/default/v")
            try watch.expectError("v: 2:1")
            try sandbox.run("watch-value set v 2")
            try watch.expectLast("2 \(end)")
            #expect(try watch.end().code == 143)
        }
    }

    @Test(arguments: [
        Script("watch-value set v 1; watch-value v -n1 -- cat", "1\n"),
        Script("watch-value set v '{\"a\":5}'; watch-value v -n1 --at .a -- cat", "5\n"),
        Script(
            #"echo 1 > f; watch-value ./f -n1 -- sh -c 'echo "$WATCH_VALUE_NAME $WATCH_VALUE_PATH" | sed "s|$PWD/|-|"'"#,
            "./f -f\n"),
        Script("watch-value set v 1; watch-value v --no-initial --timeout 50ms -- cat", code: 124, error: "timed out"),
        Script("watch-value v --timeout 50ms -- echo ran", code: 124, error: "timed out"),
        Script("watch-value set v 1; watch-value v -n1 -- sh -c 'exit 3'", code: 0, error: "v: sh exited with 3"),
        Script(
            "watch-value set v 1; watch-value v --exit-on-error -- sh -c 'exit 3'", code: 3,
            error: "v: sh exited with 3"),
        Script(
            "watch-value set v 1; watch-value v --exit-on-error -- sh -c 'kill -9 $$'", code: 137, error: "signal 9"),
        Script("watch-value set v 1; watch-value v -- no-such-command", code: 127, error: "no command"),
        Script("watch-value v w -- cat", code: 64, error: "one NAME"),
        Script("watch-value v --events -- cat", code: 64, error: "--events"),
        Script("watch-value v -r -- cat", code: 64, error: "--raw"),
        Script("watch-value v --on-busy never -- cat", code: 64, error: "queue, restart, skip"),
        Script("watch-value set v 1; watch-value -n1 -- v -- cat", "1\n"),
        Script("watch-value set v 1; WATCH_VALUE_NAME=x watch-value v -n1 -- printenv WATCH_VALUE_NAME", "v\n"),
    ])
    func once(_ script: Script) async throws { try await script.check() }

    /// A bad content in between changes nothing, and neither does a change of another part.
    @Test func theSameValueAfterItWasBadRunsNothing() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(#"watch-value set v '{"a":1}'"#)
            let watch = try sandbox.watch("v --at .a -- cat")
            let events = try sandbox.watch("v --events")
            try watch.expectLines(1)
            try events.expectLines(1)
            try sandbox.run("echo '{' > bad; mv bad groups/default/v")
            try watch.expectError("v: 2:1: ")
            try events.expectLines(2)
            try sandbox.run(#"watch-value set v '{"a":1}'"#)
            try events.expectLines(3)
            try sandbox.run(#"watch-value set v '{"a":1,"b":1}'"#)
            try events.expectLines(4)
            try sandbox.run(#"watch-value set v '{"a":2}'"#)
            try watch.expectLast("2")
            #expect(try watch.end().lines == ["1", "2"])
            try events.end()
        }
    }

    /// COMMAND ends when it reads from a FIFO. While it runs, two more values come.
    ///
    /// Each run has a FIFO of its own: if the last writer had not closed a shared one yet, it would end the next run,
    /// too. Nothing reveals when the watcher takes note of the two values. If it does so only after COMMAND has ended,
    /// it may rightly run for the first of them, too. Then the test tries again with two more.
    @Test(.needs("pgrep"), arguments: ["queue", "skip"])
    func onBusy(_ policy: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("mkfifo go1; watch-value set v 1")
            let watch = try sandbox.watch(
                "v --on-busy \(policy) -- sh -c 'read v; echo $v; read x < go$v; echo end $v'")
            var newest = 1
            func set() throws {
                newest += 1
                try sandbox.run("mkfifo go\(newest); watch-value set v \(newest)")
            }
            /// Lets COMMAND end, and waits until it has ended.
            func end(_ running: Int) throws {
                try sandbox.run("echo x > go\(running)")
                try watch.expectOutput("end \(running)\n")
            }
            func isRunning() -> Bool { watch.output.hasSuffix("\n") && watch.lines.last.flatMap { Int($0) } != nil }
            /// Waits until COMMAND runs for another value. With `skip`, values that came during the run were skipped,
            /// so that one more is needed.
            func next() throws -> Int {
                if policy == "skip" {
                    try waitUntil("no child") {
                        try isRunning() || sandbox.run("pgrep -P \(watch.identifier)").code == 1
                    }
                    if !isRunning() { try set() }
                }
                try watch.expect("another run") { Int($0) != nil }
                return try #require(watch.lines.last.flatMap { Int($0) })
            }

            try watch.expectLast("1")
            var running = 1
            var leftOut = false
            for _ in 1...20 where !leftOut {
                for _ in 1...2 {
                    try set()
                    // Most likely the watcher has taken note of the value by then.
                    try waitUntil("sleep") {
                        try sandbox.run("grep -v ') S ' /proc/\(watch.identifier)/task/*/stat").code == 1
                    }
                }
                let newestWhileItRan = newest
                try end(running)
                running = try next()
                leftOut = policy == "skip" ? running > newestWhileItRan : running == newestWhileItRan
                while running != newest {
                    try end(running)
                    running = try next()
                }
            }
            #expect(leftOut)
            try end(running)
            let lines = try watch.end().lines
            // The runs follow one another, each with a newer value.
            let runs = stride(from: 0, to: lines.count, by: 2).map { lines[$0] }
            #expect(lines == runs.flatMap { [$0, "end \($0)"] })
            #expect(runs == runs.compactMap { Int($0) }.sorted().map { "\($0)" })
        }
    }

    @Test func restartStopsWhatRuns() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let watch = try sandbox.watch("v --on-busy=restart -- sh -c 'cat; sleep 300; echo never'")
            try watch.expectLast("1")
            for value in 2...4 {
                try sandbox.run("watch-value set v \(value)")
                try watch.expectLast("\(value)")
            }
            let result = try watch.end()
            #expect(result.lines == ["1", "2", "3", "4"])
            #expect(result.errors == "")
        }
    }

    /// Only a run that reaches its end counts. COMMAND sets the next value itself, and would go on running.
    @Test(arguments: [
        Script(
            """
            watch-value set v 1; watch-value v -n1 --on-busy restart -- sh -c '
            read v; echo $v; [ $v = 3 ] || { watch-value set v $((v + 1)); sleep 300; }; echo end $v'
            """, "1\n2\n3\nend 3\n"),
        // COMMAND exits with 0 when it is asked to end.
        Script(
            """
            watch-value set v 1; watch-value v -n1 --on-busy restart -- sh -c 'trap "exit 0" TERM
            read v; echo $v; [ $v = 2 ] || { watch-value set v 2; sleep 300 & wait; }; echo end $v'
            """, "1\n2\nend 2\n"),
        Script(
            """
            watch-value set v 1; watch-value v -n1 --on-busy restart --exit-on-error -- sh -c '
            read v; [ $v = 2 ] || { watch-value set v 2; sleep 300; }; exit 3'
            """, code: 3, error: "v: sh exited with 3"),
        Script(
            """
            watch-value set v 1; watch-value v -n1 --on-busy restart --timeout 1s -- sh -c '
            read v; [ $v = 2 ] || watch-value set v 2; sleep 300'
            """, code: 124, error: "with 0 of 1 runs"),
        // `queue` stops nothing: the first run is enough.
        Script(
            """
            watch-value set v 1; watch-value v -n1 --on-busy queue -- sh -c '
            read v; echo $v; watch-value set v 2; echo end $v'
            """, "1\nend 1\n"),
        Script(
            """
            watch-value set v 1; watch-value v -n1 --on-busy skip -- sh -c '
            read v; echo $v; watch-value set v 2; echo end $v'
            """, "1\nend 1\n"),
    ])
    func aRunThatWasStoppedDoesNotCount(_ script: Script) async throws { try await script.check() }

    @Test(
        .needs("pgrep"),
        arguments: ["exec sleep 300", "sleep 301 & wait", "trap \"\" TERM; sleep 301 & while :; do wait; done"])
    func itsProcessesEndWithIt(_ command: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let watch = try sandbox.watch("v -- sh -c 'echo $$; \(command)'")
            try watch.expectLines(1)
            let group = try #require(watch.lines.first)
            let result = try watch.end()
            #expect(result.code == 143)
            try waitUntil("the end of the group") { try sandbox.run("pgrep -g \(group)").code == 1 }
        }
    }

    /// COMMAND ends when it is asked to; the process that it started does not.
    @Test func whatCommandStartedEndsWithIt() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let straggler = "(trap \"\" TERM; echo $BASHPID; exec sleep 300 >/dev/null 2>&1) & wait"
            let watch = try sandbox.watch("v -- bash -c '\(straggler)'")
            try watch.expectLines(1)
            let left = try #require(watch.lines.first)
            #expect(try watch.end().code == 143)
            try waitUntil("the straggler's end") { try !sandbox.isRunning(left) }
        }
    }

    /// Some supervisors start all their processes with SIGCHLD ignored.
    @Test func theEndOfCommandIsSeenWhereChildrenWereIgnored() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let watch = try sandbox.start(
                "trap '' CHLD; exec watch-value v -n2 -- sh -c 'cat; grep SigIgn /proc/self/status'")
            try watch.expectLines(2)
            try sandbox.run("watch-value set v 2")
            let result = try watch.result()
            #expect(result.code == 0)
            let lines = result.lines
            try #require(lines.count == 4)
            #expect([lines[0], lines[2]] == ["1", "2"])
            // COMMAND ignores neither SIGCHLD nor SIGPIPE.
            let ignored = try #require(lines[1].split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
            #expect(ignored >> UInt64(SIGCHLD - 1) & 1 == 0 && ignored >> UInt64(SIGPIPE - 1) & 1 == 0)
            let update = try sandbox.run("trap '' CHLD; exec watch-value update v -- echo 3")
            #expect(update.code == 0, "\(update.errors)")
            #expect(try sandbox.run("watch-value get v").output == "3\n")
        }
    }

    @Test(arguments: [SIGINT, SIGQUIT, SIGHUP, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGIO, 64])
    func anySignalThatEndsItEndsItsProcesses(_ signal: Int32) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let watch = try sandbox.watch("v -- sh -c 'echo $$; exec sleep 300'")
            try watch.expectLines(1)
            watch.send(signal)
            let result = try watch.result()
            #expect(result.code == 128 + signal)
            #expect(!result.wasKilled)
            let command = try #require(watch.lines.first)
            try waitUntil("the end of COMMAND") { try !sandbox.isRunning(command) }
        }
    }

    /// A stopped process takes no signal until it is woken.
    @Test func aCommandThatIsStoppedIsAskedToEnd() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let watch = try sandbox.watch(
                "v --on-busy restart -- sh -c 'read v; trap \"echo end $v; exit\" TERM; echo $$; kill -STOP $$'")
            func stops() throws {
                try watch.expect("another run") { Int($0) != nil }
                let command = try #require(watch.lines.last)
                try waitUntil("its stop") { try sandbox.run("grep ') T ' /proc/\(command)/stat").code == 0 }
            }
            try stops()
            try sandbox.run("watch-value set v 2")
            try watch.expectOutput("end 1\n")
            try stops()
            let result = try watch.end()
            #expect(result.lines.last == "end 2")
            #expect(result.errors == "")
        }
    }

    /// After a stopped run, no process of it goes on beside the next run, however long it would take to end.
    @Test(arguments: ["wait", "trap \"\" TERM; while :; do wait; done", "trap \"exit 0\" TERM; wait"])
    func aRestartEndsTheWholeGroup(_ end: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let straggler = "(trap \"\" TERM; echo $BASHPID; exec sleep 300 >/dev/null 2>&1) & \(end)"
            let watch = try sandbox.watch("v --on-busy restart -- bash -c '\(straggler)'")
            try watch.expectLines(1)
            let stopped = try #require(watch.lines.first)
            try sandbox.run("watch-value set v 2")
            try watch.expectLines(2)
            try waitUntil("the straggler's end") { try !sandbox.isRunning(stopped) }
            #expect(try watch.end().errors == "")
        }
    }

    /// COMMAND ends by itself, and leaves a process behind. Then the watcher notices both this end and a newer value.
    @Test(.needs("pgrep"))
    func whatARunLeftOnPurposeRunsOn() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("mkfifo go; watch-value set v 1")
            let watch = try sandbox.watch(
                "v -n2 --on-busy restart -- sh -c 'sleep 300 >/dev/null 2>&1 & echo $!; read x < go; echo end'")
            try watch.expectLines(1)
            watch.send(SIGSTOP)
            try sandbox.run("echo x > go")
            try watch.expectLines(2)
            try waitUntil("the end of COMMAND") {
                try sandbox.run("pgrep -r Z -P \(watch.identifier)").code == 0
            }
            try sandbox.run("watch-value set v 2")
            watch.send(SIGCONT)
            try watch.expectLines(3)
            try sandbox.run("echo x > go")
            let result = try watch.result()
            #expect(result.code == 0)
            #expect(result.lines.enumerated().filter { $0.offset % 2 == 1 }.map(\.element) == ["end", "end"])
            for left in result.lines where left != "end" {
                #expect(try sandbox.isRunning(left))
                try sandbox.run("kill \(left)")
            }
        }
    }
}
