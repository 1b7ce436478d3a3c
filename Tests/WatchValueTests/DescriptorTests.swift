import Testing

/// Closed descriptors, and too few of them.
@Suite struct DescriptorTests {
    @Test func closedStreamsAreNoFiles() async throws {
        try await Sandbox.run { sandbox in
            let result = try sandbox.run(
                "watch-value set v 1 <&- >&- 2>&-; echo $?; watch-value get v >&-; echo $?; cat groups/default/v")
            #expect(result.lines == ["0", "74", "1"])
            #expect(result.errors.contains("standard output"))
            #expect(try sandbox.run("watch-value set v '{' 2>&-; watch-value get v").output == "1\n")
        }
    }

    /// A missing input is not an empty one.
    @Test(arguments: [
        Script("watch-value set --string v - <&-", code: 74, error: "cannot read standard input: Bad file descriptor"),
        Script("watch-value set v - <&-", code: 74, error: "cannot read standard input: Bad file descriptor"),
        Script("watch-value set v 1; watch-value v -n1 -- cat <&-", "1\n"),
    ])
    func closedInputIsAnError(_ script: Script) async throws { try await script.check() }

    /// Each limit on open files is too low for another step of the command.
    @Test(arguments: [
        "set v 2", "remove v", "update v -- echo 2",
    ])
    func tooFewDescriptorsAreAnError(_ words: String) async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            for limit in 4...16 {
                // The parent of the tests may have left descriptors open to us, as flock(1) does.
                let result = try sandbox.run(
                    "exec 3<&- 4<&- 5<&-; ulimit -n \(limit); exec watch-value \(words)")
                if result.code == 0 {
                    #expect(limit > 4)
                    break
                }
                #expect(result.code == 74)
                #expect(result.errors.contains("Too many open files"), "\(limit): \(result.errors)")
                #expect(try sandbox.text("groups/default/v") == "1\n")
            }
        }
    }
}
