import Testing

/// What happens on file systems that are mounted in a namespace of a process's own, where the machine allows that.
@Suite struct MountTests {
    /// Runs the script in `m`, once that was mounted; nil where it cannot be.
    private func run(_ mount: String, _ script: String, in sandbox: Sandbox) throws -> RunningScript.Result? {
        try sandbox.run("cat > mount; mkdir m", input: mount)
        guard try sandbox.run("exec unshare -Urm sh -e mount").code == 0 else {
            print("LEFT OUT, because it cannot be mounted here: \(mount)")
            return nil
        }
        try sandbox.run("cat > script", input: script)
        return try sandbox.run("exec unshare -Urm sh -c '. ./mount; cd m; . ../script'")
    }

    @Test func theDoctorLeavesNothingOnAFullFileSystem() async throws {
        try await Sandbox.run { sandbox in
            let result = try run(
                "mount -t tmpfs -o size=64k none m",
                """
                mkdir c; head -c 100000 /dev/zero > full; watch-value --container c doctor | grep 'round trip'; ls -A
                """, in: sandbox)
            guard let result else { return }
            #expect(result.lines.first?.contains("not measured: ") == true, "\(result.lines)")
            #expect(result.lines.dropFirst() == ["c", "full"])
        }
    }
}
