import Foundation
import TestSupport
import Testing

/// The README's first command.
@Suite(.fewAtOnce) struct DemoTests {
    @Test func itShowsWhatTheViewerSeesAndLeavesNothing() async throws {
        // The user's own containers do not matter: here a file is in the place of their directory.
        let directory = try TemporaryDirectory()
        try directory.write("", to: "containers")
        let demo = try await Program.run(
            .product("broadcast-demo"), ["--for", "1"],
            environment: ["GROUP_CONTAINERS": directory.path("containers"), "TMPDIR": directory.path])
        #expect(demo.exit == .code(0))
        #expect(demo.errors == "")
        for text in [
            "viewer      | Not Broadcasting\n", "viewer      | Broadcasting \"Evening news\" since",
            "broadcaster | finished\n", " values: p50 ", "viewer      | No heartbeat since",
            "is_broadcasting still says true", "ended with an error: camera unplugged",
        ] {
            #expect(demo.output.contains(text))
        }
        #expect(try directory.names() == ["containers"])
    }

    @Test func ctrlCTakesEverythingDown() async throws {
        let directory = try TemporaryDirectory()
        // Longer than it may take until the test sees a line.
        let demo = try Program(
            .product("broadcast-demo"), ["--for", "300"], environment: ["TMPDIR": directory.path])
        try await demo.line { $0.contains("| Broadcasting") }
        demo.signal(SIGINT)
        #expect(try await demo.exit() == .code(130))
        #expect(try directory.names() == [])
    }

    /// As when the output goes to `head`.
    @Test func nobodyWhoReadsTakesEverythingDown() async throws {
        let directory = try TemporaryDirectory()
        let demo = Program.path(ofProduct: "broadcast-demo")
        let outcome = try await Program.run(
            .command("sh"), ["-c", "{ \"$0\" --for 2; echo $? >&2; } | true", demo],
            environment: ["TMPDIR": directory.path])
        #expect(outcome.errors == "broadcast-demo: interrupted\n130")
        #expect(try directory.names() == [])
    }

    @Test func whereItIsKilledItsBroadcasterGoesOffAir() async throws {
        let directory = try TemporaryDirectory()
        let demo = try Program(
            .product("broadcast-demo"), ["--for", "300"], environment: ["TMPDIR": directory.path])
        try await demo.line { $0.contains("| Broadcasting") }
        demo.signal(SIGKILL)
        #expect(try await demo.exit() == .signal(SIGKILL))
        let left = try #require(try directory.names().first)
        let offAir = try await Program.run(
            .product("watch-value"), ["-g", Stage.group, "wait", "is_broadcasting", "--for", "== false"],
            environment: ["GROUP_CONTAINERS": directory.path(left) + "/containers"])
        #expect(offAir.exit == .code(0), "\(offAir)")
    }

    /// As when the program was copied to another place.
    @Test func aloneItSaysWhatItMisses() async throws {
        let directory = try TemporaryDirectory()
        // Another process copies the file: if this one did, a program that another test just starts would have the copy
        // open for writing.
        let demo = Program.path(ofProduct: "broadcast-demo")
        let outcome = try await Program.run(
            .command("sh"), ["-c", "cp \"$0\" . && exec ./broadcast-demo", demo],
            environment: ["TMPDIR": directory.path], directory: directory.path)
        #expect(outcome.exit == .code(69))
        #expect(outcome.errors.hasPrefix("broadcast-demo: cannot start \(directory.path("viewer")), "))
        #expect(!outcome.errors.contains("\n") && !outcome.errors.contains("Error Domain"), "\(outcome.errors)")
        #expect(try directory.names() == ["broadcast-demo"])
    }

    @Test func withoutAPlaceForItsDirectoryItSaysWhy() async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await Program.run(
            .product("broadcast-demo"), [], environment: ["TMPDIR": directory.path("nothing")])
        #expect(outcome.exit == .code(73))
        let place = directory.path("nothing")
        #expect(outcome.errors == "broadcast-demo: cannot make a directory in \(place): No such file or directory")
    }

    /// As from `yes`: the viewer does not keep what it does not need.
    @Test func aViewerKeepsNothingOfItsInput() async throws {
        let stage = try Stage()
        let viewer = "sh -c 'ulimit -d 500000; exec viewer --until-end-of-input'"
        let input = "{ head -c 1000000000 /dev/zero && echo taken >&2; }"
        let outcome = try await stage.shell("\(input) | \(viewer)", group: Stage.group)
        #expect(outcome.exit == .code(0) && outcome.errors == "taken", "\(outcome)")
    }

    @Test func aViewerEndsWithItsInput() async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await Program.run(
            .product("viewer"), ["--until-end-of-input"], environment: ["GROUP_CONTAINERS": directory.path])
        #expect(outcome.exit == .code(0))
    }

    /// Even if its input ends before it looks.
    @Test func aViewerTakesNothingElse() async throws {
        for _ in 0..<10 {
            let outcome = try await Program.run(.product("viewer"), ["--until-end-of-input", "soon"])
            #expect(outcome.exit == .code(64))
        }
    }

    @Test(arguments: ["broadcaster", "viewer", "broadcast-demo"])
    func aWrongOptionIsAUsageError(product: String) async throws {
        let outcome = try await Program.run(.product(product), ["--loud"])
        #expect(outcome.exit == .code(64))
        #expect(outcome.errors.contains("usage: \(product)"))
    }

    @Test(arguments: ["broadcaster", "viewer", "broadcast-demo"], ["--help", "-h"])
    func whoAsksForHelpGetsIt(product: String, option: String) async throws {
        let outcome = try await Program.run(.product(product), [option])
        #expect(outcome.exit == .code(0))
        #expect(outcome.output.hasPrefix("usage: \(product) "))
        #expect(outcome.errors == "")
    }
}
