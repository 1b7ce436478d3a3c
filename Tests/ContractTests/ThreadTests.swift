import Foundation
import TestSupport
import Testing

/// What happens where the system has no thread left for the library.
struct ThreadTests {
    /// G4 and G14: no thread can say that there is one again, so whoever comes next by any door makes it.
    @Test(arguments: ["value", "status", "health", "sink", "read", "update", "schedule"])
    func G14_whoeverComesMakesTheThreadsThatWereNotToBeHad(door: String) async throws {
        let folder = try TemporaryDirectory(on: .memory)
        let isOpen = unsafe chmod(folder.path, 0o755) == 0
        #expect(isOpen)
        let outcome = try await Program.run(.product("probe"), ["threadless", folder.path("c"), door])
        if outcome.output == "no limit" {
            print("skipped, the number of threads cannot be limited here")
            return
        }
        #expect(
            outcome.output == """
                polling no thread left; raise ulimit -u, or pids.max of the control group
                rang true
                told true
                live true
                """, "\(outcome)")
    }
}
