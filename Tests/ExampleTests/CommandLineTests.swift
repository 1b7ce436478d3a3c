import Foundation
import TestSupport
import Testing

/// What the examples are started with.
@Suite struct CommandLineTests {
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
}
