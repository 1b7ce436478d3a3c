import Foundation
import SystemCalls
import TestSupport
import Testing

/// G15: children forked from a process that observes.
struct ForkedObserverTests {
    /// Runs in a process of its own, because a child forked from the test process would share the process's locks. Not
    /// with the thread sanitizer: the child would find the sanitizer's own locks held. The parent still observes what
    /// the children have let go of.
    @Test(.enabled(if: !CurrentProcess.hasThreadSanitizer))
    func G15_aForkedChildsObserversDoNothing() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["fork-observing", folder.path])
        let told = await program.output.wait { lines in
            lines.contains("kept") && lines.contains("released") ? lines : nil
        }
        #expect(told?.prefix(40).allSatisfy { $0 == "child 0" } == true, "\(program.output.elements)")
        program.signal(SIGKILL)
        _ = try await program.exit()
    }
}
