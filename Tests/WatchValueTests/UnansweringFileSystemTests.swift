import TestSupport
import Testing

/// On a file system that never answers, as a network file system may: a FUSE mount whose server never replies.
struct UnansweringFileSystemTests {
    private static let mounting = """
        exec 9<>/dev/fuse && mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 none m
        """

    /// Runs the script beside `m`, where that file system is mounted. Nil where it cannot be mounted.
    private func run(_ script: String, _ sandbox: Sandbox) throws -> RunningScript.Result? {
        try sandbox.run(mounting: Self.mounting, isBeside: true, script)
    }

    /// A signal ends the command although it waits for the file system.
    @Test(
        arguments: [
            "get m/v", "m/v", "m/v -- cat", "wait m/v --for .", "set m/v 1", "update m/v -- cat", "remove m/v",
            "list --container m", "list --container m --live", "doctor --container m",
        ])
    func whoIsStartedThereCanBeInterrupted(words: String) async throws {
        try await Sandbox.run { sandbox in
            let script = """
                watch-value \(words) 9>&- & process=$!
                while [ -e /proc/$process ] && ! grep -h ') D ' /proc/$process/task/*/stat | grep -q '(w'; do sleep 0.01; done
                kill -TERM $process
                timeout 60 tail --pid=$process -s 0.01 -f /dev/null || kill -KILL $process
                wait $process
                """
            guard let result = try run(script, sandbox) else { return }
            #expect(result.code == 143, "\(result)")
        }
    }

    @Test(arguments: ["watch m/v", "watch m/v -- cat", "wait m/v --for ."])
    func theTimeOfWhoIsStartedThereIsUp(words: String) async throws {
        try await Sandbox.run { sandbox in
            let words = words.replacing(" m/v", with: " --timeout 10ms m/v")
            guard let result = try run("watch-value \(words) 9>&-", sandbox) else { return }
            #expect(result.code == 124, "\(result)")
            #expect(result.errors.contains("timed out after 10ms; the file system does not answer"), "\(result)")
        }
    }

    @Test func theDoctorTellsOfIt() async throws {
        try await Sandbox.run { sandbox in
            guard let result = try run("watch-value doctor --container m 9>&-", sandbox) else { return }
            #expect(result.code == 1, "\(result)")
            #expect(result.output.contains("does not answer"), "\(result)")
        }
    }

    /// Where the file system's server is gone, the container is not taken for missing, and nothing above it is examined
    /// instead.
    @Test func theDoctorTellsThatNothingServesIt() async throws {
        try await Sandbox.run { sandbox in
            guard let result = try run("exec 9>&-; watch-value doctor --container m", sandbox) else { return }
            #expect(result.code == 1, "\(result)")
            #expect(result.output.contains("cannot be examined"), "\(result)")
            #expect(!result.lines.contains { $0.contains("  file system  ") }, "\(result)")
        }
    }
}
