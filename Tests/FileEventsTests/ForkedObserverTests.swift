import Foundation
import SystemCalls
import TestSupport
import Testing

/// G15: children that are forked from a process that observes.
struct ForkedObserverTests {
    /// In a process of its own: whoever is forked from this one takes part in its locks. Not with the thread sanitizer, whose
    /// own locks the child would find held. What the children let go of is observed still.
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
