import SystemCalls
import TestSupport
import Testing

struct ShellQuotingTests {
    /// In Swift an apostrophe and a combining mark after it are one character, but the shell looks at bytes.
    @Test(arguments: ["d", "it's", "'", "''a'", "it'\u{301}s", "$(id) `id` \\ \"*\" #", "two\nlines", ""])
    func aShellTakesItAsOneWord(_ word: String) async throws {
        let outcome = try await Program.run(.command("sh"), ["-ec", "printf '%s|' \(word.quotedForShell)"])
        #expect(outcome.exit == .code(0))
        #expect(Array(outcome.output.utf8) == Array("\(word)|".utf8))
    }
}
