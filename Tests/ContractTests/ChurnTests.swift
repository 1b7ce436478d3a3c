import SystemCalls
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct ChurnTests {
    /// G9, G13: subscribers come and go on eight threads, and their handlers send, subscribe, cancel and release
    /// themselves. They leave no file, no descriptor and no memory.
    @Test(.disabled(if: CurrentProcess.hasThreadSanitizer, "its shadow grows"))
    func G9_subscribersThatComeAndGoLeaveNothing() async throws {
        let folder = try TemporaryDirectory(on: .memory)
        let rounds = 1000
        let program = try Program(.product("probe"), ["churn", folder.path("c"), "\(rounds)"])
        let memory = try await program.line("memory ", within: .seconds(180))
        #expect(program.output.elements.dropLast() == ["files 0", "descriptors 0"])
        // 8,000 files and 24,000 subscriptions in the second half: a leak of 2 KB each would show.
        let growth = try #require(memory.split(separator: " ").last.flatMap { Int($0) })
        #expect(growth < 16 << 20)
    }
}
