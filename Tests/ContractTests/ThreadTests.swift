import Foundation
import TestSupport
import Testing

/// What happens where the system has no thread left for the library.
@Suite(.fewAtOnce)
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

    /// G4: the threads that are there do what others would do.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_whoCanHaveNoMoreThreadsIsToldAllTheSame(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let isOpen = unsafe chmod(folder.path, 0o755) == 0
        #expect(isOpen)
        let outcome = try await Program.run(.product("probe"), ["crowded", folder.path("c")])
        if outcome.output == "first true\nno limit" {
            print("skipped, the number of threads cannot be limited here")
            return
        }
        #expect(
            outcome.output == """
                first true
                second true
                written true
                """, "\(outcome)")
    }
}
