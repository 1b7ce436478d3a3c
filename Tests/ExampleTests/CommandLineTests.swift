import Foundation
import SystemCalls
import TestSupport
import Testing

/// The examples' arguments.
@Suite(.fewAtOnce) struct CommandLineTests {
    static let wrong: [(product: String, lines: [[String]])] = [
        (
            "flag-daemon",
            [["--loud"], ["--group"], ["--group", "with/slash"], ["--group", "a", "b"]]
        ),
        (
            "lucky-number",
            [
                [], ["draw"], ["app", "--loud"], ["app", "--repeat"], ["app", "--repeat", "seven"],
                ["app", "--repeat", "0"], ["app", "--background"], ["widget", "--repeat", "2"],
                ["app", "--group", "with/slash"], ["widget", "--group", "../up"],
            ]
        ),
        (
            "status-widget",
            [
                [], ["show"], ["widget", "weather"], ["app"], ["app", "dance"], ["app", "say"],
                ["app", "say", "a", "b"], ["app", "say", "a", "--for", "soon"],
                ["app", "set-time-zone", "Mars/Base"], ["app", "reload", "weather"], ["app", "list", "all"],
            ]
        ),
    ]

    @Test(arguments: wrong)
    func aWrongCommandLineIsOneLine(product: String, lines: [[String]]) async throws {
        let stage = try Stage()
        for arguments in lines {
            let outcome = try await Program.run(
                .product(product), arguments, environment: ["GROUP_CONTAINERS": stage.containers])
            #expect(outcome.exit == .code(64), "\(arguments)")
            #expect(outcome.output == "", "\(arguments)")
            #expect(outcome.errors.hasPrefix("\(product): ") && !outcome.errors.contains("\n"), "\(arguments)")
        }
        #expect(!FileManager.default.fileExists(atPath: stage.containers))
    }

    @Test(arguments: [
        ("lucky-number", "app"), ("lucky-number", "widget"), ("status-widget", "app"), ("status-widget", "widget"),
        ("status-widget", "app reload"), ("status-widget", "app list"), ("flag-daemon", "--group a"),
        ("broadcaster", "--for 1"), ("viewer", "--until-end-of-input"), ("broadcast-demo", "--for 1"),
    ])
    func helpIsGivenBehindOtherWords(product: String, words: String) async throws {
        let stage = try Stage()
        for option in ["--help", "-h"] {
            let outcome = try await stage.shell("\(product) \(words) \(option)", group: Stage.group)
            #expect(outcome.exit == .code(0), "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("usage: \(product) ") && outcome.errors == "", "\(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: stage.containers))
    }

    @Test func whatAnOptionIsGivenAsksForNoHelp() async throws {
        let stage = try Stage()
        let outcome = try await stage.shell("broadcaster --title --help --for 0", group: Stage.group)
        #expect(outcome.exit == .code(0))
        #expect(outcome.output.hasPrefix("started: --help\n"))
    }

    /// Otherwise files that the program opens would get these numbers, and would be written to and read.
    @Test(arguments: ["viewer", "broadcaster", "flag-daemon", "lucky-number widget", "status-widget widget"])
    func whatWasClosedIsTakenByNothing(command: String) async throws {
        let stage = try Stage()
        let program = try stage.startShell("\(command) <&- >&- 2>&-", group: Stage.group)
        let leadsNowhere = await eventually {
            (0...2).allSatisfy { descriptor in
                do throws(Errno) {
                    return try Path.linkTarget(of: "/proc/\(program.processIdentifier)/fd/\(descriptor)") == "/dev/null"
                } catch {
                    return false  // It is closed still.
                }
            }
        }
        #expect(leadsNowhere)
        program.signal(SIGTERM)
        _ = try await program.exit()
    }

    @Test func inputThatWasClosedIsOver() async throws {
        let stage = try Stage()
        let outcome = try await stage.shell("exec viewer --until-end-of-input <&-", group: Stage.group)
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
    }
}
