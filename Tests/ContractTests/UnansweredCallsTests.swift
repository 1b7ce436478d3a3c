import TestSupport
import Testing

/// G8: file systems that do not answer, such as that of a server that is gone.
struct UnansweredCallsTests {
    /// The thread that reads events follows the path, and gets no answer.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G8_aFileSystemThatDoesNotAnswerHoldsUpNoOtherValue(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let program = try Program(.product("probe"), ["unanswered", folder.path])
        try await program.line("watching")
        _ = try await Program.run(.command("sh"), ["-ec", "mv dead gone; mkdir dead"], directory: folder.path)
        try await program.line("stuck")
        try await program.line("cancelled")
        try await program.line("late 0")
        for value in 1...10 {
            _ = try await Program.run(
                .command("sh"), ["-ec", "echo \(value) > n; mv n live/v"], directory: folder.path)
            try await program.line("value \(value)", within: .beforeTheHeartbeat)
        }
        _ = try await Program.run(.command("sh"), ["-ec", "echo 1 > n; mv n late/v"], directory: folder.path)
        try await program.line("late 1", within: .beforeTheHeartbeat)
    }
}
