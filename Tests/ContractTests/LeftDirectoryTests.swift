import Foundation
import TestSupport
import Testing

/// What happens where a path has led, after it leads elsewhere, all in one batch: the observer's process stands still
/// meanwhile.
@Suite(.fewAtOnce)
struct LeftDirectoryTests {
    static let departures: [(setup: String, script: String)] = [
        ("", "ln -s e k; mv -T k l; echo 9 > d/v"),
        // Another directory bears the path of the one that the link has led to.
        ("mkdir f; echo 9 > f/v", "ln -s e k; mv -T k l; mv d g; mv f d; echo 3 > g/v"),
    ]

    /// It would be told now and then, if it were read. Read is what the path leads to: by who comes there, and once more
    /// because all may have changed, which may be after it is told.
    @Test(arguments: departures.indices, TemporaryDirectory.Place.allCases)
    func isNotRead(index: Int, place: TemporaryDirectory.Place) async throws {
        let (setup, script) = Self.departures[index]
        #expect((1...2).contains(try await opens(setup: setup, script: script, on: place)))
    }

    /// How many files an observer opens until it tells where the path leads after the script.
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
