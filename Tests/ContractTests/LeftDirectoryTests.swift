import Foundation
import TestSupport
import Testing

/// Something happens in the directory to which a path led, after the path leads elsewhere, all in one batch: the
/// observer's process is stopped meanwhile.
@Suite(.fewAtOnce)
struct LeftDirectoryTests {
    static let departures: [(setup: String, script: String)] = [
        ("", "ln -s e k; mv -T k l; echo 9 > d/v"),
        // Another directory takes the path of the directory to which the link led.
        ("mkdir f; echo 9 > f/v", "ln -s e k; mv -T k l; mv d g; mv f d; echo 3 > g/v"),
    ]

    /// If the file in the left directory were read, its value would be reported now and then. The observer reads only
    /// what the path leads to: when it arrives there, and once more because everything may have changed. The second
    /// read may come after the report.
    @Test(arguments: departures.indices, TemporaryDirectory.Place.allCases)
    func isNotRead(index: Int, place: TemporaryDirectory.Place) async throws {
        let (setup, script) = Self.departures[index]
        #expect((1...2).contains(try await opens(setup: setup, script: script, on: place)))
    }

    /// How many files an observer opens after the script, until it reports the value to which the path leads.
    private func opens(setup: String, script: String, on place: TemporaryDirectory.Place) async throws -> Int {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir d e; echo 1 > d/v; echo 2 > e/v; ln -s d l; \(setup)")
        let observer = try Program(.product("probe"), ["observed", folder.path("l"), "v"])
        try await observer.line("calls 1 ")
        observer.signal(SIGSTOP)
        try await folder.shell(script)
        observer.signal(SIGCONT)
        let calls = await observer.output.first(within: .beforeTheHeartbeat) { $0.hasPrefix("calls 2") }
        #expect(!observer.output.elements.contains("value 9"))
        return try #require(calls).split(separator: " ").count { $0 == "open" }
    }
}
