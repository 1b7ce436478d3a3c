import TestSupport
import Testing

/// G8: what a process keeps open after changes of values in many containers.
@Suite(.fewAtOnce)
struct LockCacheTests {
    /// Eight locks, each with its two directories, and as many again that have grown old and that another thread is
    /// just closing.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G8_valuesOfManyContainersTakeFewDescriptors(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let outcome = try await Program.run(.product("probe"), ["containers", folder.path, "100"])
        let count = try #require(outcome.output.split(separator: " ").last.flatMap { Int($0) }, "\(outcome)")
        #expect(count <= 48)
    }

    /// However often no descriptor is left, as while everything is tried again four times a second.
    @Test func G8_whatIsRefusedForWantOfADescriptorLeavesNothing() async throws {
        let outcome = try await Program.run(.product("probe"), ["refusals", "1000"])
        #expect(outcome.output == "1000 0", "\(outcome)")
    }

    /// Where no other descriptors are left, the library closes the locks that it only keeps open for later.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G8_keptLocksAreClosedForWantOfDescriptors(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let probe = Program.path(ofProduct: "probe")
        // Descriptors that this process, or another test, happens to have open just now do not belong to the probe.
        let script = """
            for fd in /proc/self/fd/*; do if [ ${fd##*/} -gt 2 ]; then eval "exec ${fd##*/}>&-"; fi; done
            ulimit -n 24; exec "$0" "$@"
            """
        let outcome = try await Program.run(.command("bash"), ["-c", script, probe, "containers", folder.path, "100"])
        #expect(outcome.exit == .code(0), "\(outcome)")
    }
}
