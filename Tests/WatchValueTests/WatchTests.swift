import Foundation
import SystemCalls
import TestSupport
import Testing

/// A line of `--events`, as any JSON reader sees it.
private struct Event: Decodable, Equatable {
    var event: String
    var name: String
    var value: Int?
    var error: String?
    var time: String
}

@Suite struct WatchTests {
    private func events(_ lines: [String]) throws -> [Event] {
        try lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    }

    @Test func theValueNowThenEachChange() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let watch = try sandbox.watch("v")
            try watch.expectLast("1")
            for value in 2...5 {
                try sandbox.run("watch-value set v \(value)")
                try watch.expectLast("\(value)")
            }
            #expect(try watch.end().lines == ["1", "2", "3", "4", "5"])
        }
    }

    @Test func waitsForWhatIsNotThereYet() async throws {
        try await Sandbox.run { sandbox in
            let watch = try sandbox.watch("-n1 v")
            try sandbox.run("watch-value set v '[1]'")
            let result = try watch.result()
            #expect(result.output == "[1]\n")
            #expect(result.code == 0)
        }
    }

    @Test func theSameValueAfterItWasMissingIsToldAgain() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let plain = try sandbox.watch("v")
            let events = try sandbox.watch("v --events")
            try plain.expectLines(1)
            try events.expectLines(1)
            // A process that did not run for a while may find the new value without having noticed that the old one was
            // missing.
            var rounds = 0
            while rounds < 1 || (plain.lines.count < 2 && rounds < 20) {
                try sandbox.run("rm groups/default/v")
                try events.expectLines(2 * rounds + 2)
                try sandbox.run("watch-value set v 1")
                try events.expectLines(2 * rounds + 3)
                rounds += 1
            }
            try plain.expectLines(2)
            #expect(Set(try plain.end().lines) == ["1"])
            let told = try self.events(try events.end().lines).map(\.event)
            #expect(told == ["value"] + (0..<rounds).flatMap { _ in ["missing", "value"] })
        }
    }

    @Test func theSameValueAfterItWasBadIsToldOnlyWithEvents() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let plain = try sandbox.watch("v")
            let events = try sandbox.watch("v --events")
            try plain.expectLines(1)
            try events.expectLines(1)
            // Written by rename, because a shell that writes in place may be held up for so long that the empty file
            // counts.
            try sandbox.run("echo '{' > bad; mv bad groups/default/v")
            try plain.expectError("watch-value: v: 2:1: ")
            try events.expectOutput("\"invalid\"")
            try sandbox.run("watch-value set v 1")
            try events.expectLines(3)
            try sandbox.run("watch-value set v 2")
            try plain.expectLast("2")
            try events.expectLines(4)
            let result = try plain.end()
            #expect(result.lines == ["1", "2"])
            #expect(result.errors.filter { $0 == "\n" }.count == 1)
            let told = try events.end()
            #expect(told.errors == result.errors)
            let all = try self.events(told.lines)
            #expect(all.map(\.event) == ["value", "invalid", "value", "value"])
            #expect(all.map(\.value) == [1, nil, 1, 2])
            #expect(all[1].error?.hasPrefix("2:1: ") == true)
            #expect(all.allSatisfy { $0.name == "v" && $0.time.hasSuffix("Z") })
        }
    }

    /// Somebody who saves a file again and again while editing sees each mistake reported once.
    @Test func aBadValueThatComesAgainIsNotComplainedOfAgain() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("echo '{' > f")
            let events = try sandbox.watch("./f --events")
            let wait = try sandbox.watch("wait ./f --for .")
            try wait.expectError("2:1: ")
            let contents = ["{", "oops", "{", "oops", "[1,,]"]
            for (index, content) in contents.enumerated() {
                if index > 0 { try sandbox.run("echo '\(content)' > bad; mv bad f") }
                try events.expectLines(index + 1)
            }
            try wait.expectError(" 1:4: ")
            try sandbox.run("echo 1 > good; mv good f")
            let waited = try wait.result()
            #expect(waited.code == 0)
            try events.expectLines(contents.count + 1)
            let told = try events.end()
            #expect(try self.events(told.lines).map(\.event) == contents.map { _ in "invalid" } + ["value"])
            for errors in [told.errors, waited.errors] {
                let places = errors.split(separator: "\n").map { $0.split(separator: " ")[2] }
                #expect(
                    Set(places).isSubset(of: ["2:1:", "1:1:", "1:4:"]) && Set(places).count == places.count, "\(errors)"
                )
            }
        }
    }

    @Test func reformattingIsNoChange() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(#"watch-value set v '{"a":1,"b":[2]}'"#)
            let whole = try sandbox.watch("v")
            let part = try sandbox.watch("v --at .a")
            try whole.expectLines(1)
            try part.expectLines(1)
            // The same value in another layout; then the same part in another spelling, beside another change; then
            // another part.
            try sandbox.run(#"watch-value set v '{ "a": 1, "b": [ 2 ] }'"#)
            try sandbox.run(#"watch-value set v '{"b":[3],"a":1.0}'"#)
            try whole.expectLines(2)
            try sandbox.run(#"watch-value set v '{"a":2}'"#)
            try whole.expectLines(3)
            try part.expectLast("2")
            #expect(try whole.end().lines == [#"{"a":1,"b":[2]}"#, #"{"b":[3],"a":1.0}"#, #"{"a":2}"#])
            #expect(try part.end().lines == ["1", "2"])
        }
    }

    @Test func aPartThatComesAndGoes() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(#"watch-value set v '{}'"#)
            let watch = try sandbox.watch("v --at .a --events")
            try watch.expectLines(1)
            try sandbox.run(#"watch-value set v '{"a":1}'"#)
            try watch.expectLines(2)
            try sandbox.run(#"watch-value set v '{"b":1}'"#)
            try watch.expectLines(3)
            #expect(try events(try watch.end().lines).map(\.event) == ["missing", "value", "missing"])
        }
    }

    @Test func onlyChangesWithoutTheInitialValue() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let control = try sandbox.watch("v")
            let watch = try sandbox.watch("--no-initial -n2 v")
            try control.expectLines(1)
            var value = 1
            // The command sees no change before it listens, so the test makes changes until the command has seen two.
            while watch.lines.count < 2 {
                value += 1
                try sandbox.run("watch-value set v \(value)")
                try control.expectLast("\(value)")
            }
            let result = try watch.result()
            #expect(result.code == 0)
            #expect(result.lines.count == 2 && !result.lines.contains("1"))
            try control.end()
        }
    }

    /// The first difference is relative to the initial value that is not shown.
    @Test func changesAreToTheInitialValueThatIsNotShown() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(#"watch-value set v '{"a":1,"b":0}'"#)
            let watch = try sandbox.watch("--no-initial --diff --color never -n1 v")
            var value = 0
            // The command sees no change before it listens.
            let end = Moment.now + .testDeadline
            while watch.lines.isEmpty, Moment.now < end {
                value += 1
                try sandbox.run(#"watch-value set v '{"a":1,"b":\#(value)}'"#)
            }
            let result = try watch.result()
            #expect(result.code == 0)
            #expect(result.lines.allSatisfy { $0.hasPrefix(".b: ") }, "\(result)")
        }
    }

    @Test func severalNamesAreEvents() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set a 1; echo 5 > f")
            let watch = try sandbox.watch("a b ./f")
            try watch.expectLines(3)
            try sandbox.run("watch-value set b 2")
            try watch.expectLines(4)
            let all = try events(try watch.end().lines)
            #expect(all.map(\.name) == ["a", "b", "./f", "b"])
            #expect(all.map(\.event) == ["value", "missing", "value", "value"])
            #expect(all.map(\.value) == [1, nil, 5, 2])
        }
    }

    @Test func linksAreFollowedAndTargetsReplaced() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(
                "mkdir -p m/one m/two; echo 1 > m/one/c; echo 2 > m/two/c; ln -s one m/data; ln -s data/c m/c; ln -s m/c link"
            )
            let watch = try sandbox.watch("./link")
            try watch.expectLast("1")
            try sandbox.run("ln -s two m/new && mv -T m/new m/data")
            try watch.expectLast("2")
            try sandbox.run("watch-value set ./link 3")
            try watch.expectLast("3")
            #expect(
                try sandbox.run("cat m/two/c; readlink link m/c m/data; ls -A m/two/.groupfile").lines == [
                    "3", "m/c", "data/c", "two", "c.lock",
                ])
            try watch.end()
        }
    }

    /// If the link's text does not lead back into its directory, only a watch on that directory reports that it goes.
    @Test(arguments: ["mv d moved", "rm -r d"])
    func G4_theDirectoryOfALinkMayGo(how: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("mkdir d t; echo 1 > t/f; ln -s \"$PWD/t/f\" d/link")
            let watch = try sandbox.watch("./d/link")
            try watch.expectLast("1")
            try sandbox.run("\(how); mkdir d; echo 2 > d/link")
            try watch.expectLast("2", within: .beforeTheHeartbeat)
            try watch.end()
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGPIPE])
    func signalsEndIt(_ signal: Int32) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let watch = try sandbox.watch("v")
            try watch.expectLast("1")
            watch.send(signal)
            let result = try watch.result()
            #expect(result.code == 128 + signal)
            #expect(!result.wasKilled)
            #expect(result.errors == "")
        }
    }

    @Test(arguments: [
        ("set v 2", ""), ("update v -- echo 2", "watch-value: v: ended by signal 15; the value is unchanged\n"),
    ])
    func aSignalEndsWhoWaitsForTheLock(_ words: String, _ errors: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            let holder = try sandbox.holdLock(of: "v")
            let change = try sandbox.watch(words)
            // The process has its turn, and waits for the lock.
            try waitUntil { try sandbox.run("flock -n groups/default/.groupfile/v.turn true").code != 0 }
            change.send(SIGTERM)
            let result = try change.result()
            #expect(result.code == 143)
            #expect(result.errors == errors)
            #expect(try sandbox.text("groups/default/v") == "1\n")
            try holder.end()
        }
    }

    @Test func aSignalEndsWhoWritesToAFullPipe() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("head -c 300000 /dev/zero | tr '\\0' x | watch-value set --string v -")
            let watch = try sandbox.start(
                "exec 8> >(exec sleep 300); echo $!; watch-value v >&8 & echo $!; wait $!; echo $?")
            try watch.expectLines(2)
            let processes = watch.lines.compactMap { Int32($0) }
            try #require(processes.count == 2)
            kill(processes[1], SIGTERM)
            try watch.expectLast("143")
            kill(processes[0], SIGTERM)
            watch.send(SIGKILL)
        }
    }

    /// The shell keeps the pipe open without reading it.
    @Test func theTimeoutEndsWhoWritesToAFullPipe() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                """
                head -c 300000 /dev/zero | tr '\\0' x | watch-value set --string v -
                mkfifo pipe; exec 3<> pipe; timeout -s KILL 60 watch-value v --timeout 100ms > pipe; echo $?
                """)
            #expect(result.output == "124\n")
            #expect(result.errors == "watch-value: v: timed out after 100ms\n")
        }
    }

    @Test(arguments: ["watch-value v | head -n1", "watch-value v v | head -n1", "watch-value get v | true"])
    func aClosedPipeEndsItQuietly(_ script: String) async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run("watch-value set v 1; \(script); echo ${PIPESTATUS[0]} >&2")
            #expect(result.errors == "0\n")
        }
    }

    /// While no thread can be created, no change is seen. As soon as one can, every change is.
    @Test(.enabled(if: getuid() == 0, "only root can be another user"), .needs("setpriv"))
    func threadsThatWereNotToBeHadAreTriedForAgain() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run(
                "chmod 755 .; watch-value set v 1; chmod 755 groups groups/default; chmod 644 groups/default/v")
            // With these, the user has as many processes as the limit allows.
            let others = try sandbox.start(
                """
                for i in 1 2 3; do setpriv --reuid 61078 --clear-groups sh -c 'echo $$; exec sleep 1000' & done
                trap 'kill $(jobs -p); exit' TERM; wait
                """)
            try others.expectLines(3)
            let watch = try sandbox.start(
                "ulimit -u 4; exec setpriv --reuid 61078 --clear-groups watch-value v")
            try watch.expectError("no thread can be created")
            _ = try others.end()
            try sandbox.run("watch-value set v 2")
            try watch.expectLast("2")
            #expect(try watch.end().code == 143)
        }
    }

    /// A SIGPIPE from its own complaints is not a signal that somebody sent.
    @Test func complaintsThatNobodyReadsDoNotEndIt() async throws {
        try await Sandbox.run { sandbox in
            let watch = try sandbox.start(
                """
                echo '{' > f; mkfifo pipe; exec 3<> pipe 4> pipe 3<&-
                exec watch-value ./f --events -n2 2>&4 4>&-
                """)
            try watch.expectOutput("invalid")
            try sandbox.run("echo 1 > f")
            let result = try watch.result()
            #expect(result.code == 0)
            #expect(result.lines.count == 2)
        }
    }

    @Test(arguments: ["wait v --for .", "update v -- cat /dev/tty", "list --live", "v"])
    func nothingIsDoneWhileNothingHappens(_ words: String) async throws {
        try await Sandbox.run { sandbox in
            // In some of these the reader of the output is gone. The command sleeps, or has ended.
            try sandbox.run("mkdir -p groups/default")
            let lock = try sandbox.start("exec watch-value update v -- sh -c 'echo held >&2; exec sleep 300'")
            try lock.expectError("held")
            let watch = try sandbox.start("exec watch-value \(words) > >(exec true)")
            try waitUntil("sleep") {
                try sandbox.run("test $(cat /proc/\(watch.identifier)/comm) = watch-value").code != 0
                    || sandbox.run("grep -v ') [SZ] ' /proc/\(watch.identifier)/task/*/stat").code == 1
            }
            watch.send(SIGTERM)
            _ = try watch.result()
            try lock.end()
        }
    }

    @Test func pollingIsToldAloud() async throws {
        // A file with a number in it, on a file system that cannot notify.
        let number = "/proc/sys/kernel/pid_max"
        try await Sandbox.run { sandbox in
            let watch = try sandbox.watch("\(number) --events")
            try watch.expectLines(2)
            try watch.expectError("polling")
            #expect(watch.output.contains(#""event":"health""#))
            #expect(watch.output.contains(#""event":"value""#))
            let result = try watch.end()
            #expect(result.errors.filter { $0 == "\n" }.count == 1)
            #expect(result.errors.hasPrefix("watch-value: \(number): polling"))
            #expect(try sandbox.run("watch-value \(number) -n1").errors.contains("proc"))
            // Health events do not count as values.
            #expect(try sandbox.run("watch-value \(number) -n1 --events").output.contains(#""event":"value""#))
            for words in ["wait \(number) --for .", "\(number) -n1 -- cat"] {
                let errors = try sandbox.run("watch-value \(words)").errors
                #expect(errors.filter { $0 == "\n" }.count == 1 && errors.contains(": polling, "), "\(errors)")
            }
        }
    }
}
