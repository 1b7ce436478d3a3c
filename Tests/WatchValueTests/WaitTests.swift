import Testing

@Suite struct WaitTests {
    @Test(arguments: [
        Script(#"watch-value set j '{"state":"ready"}'; watch-value wait j --for '.state == "ready"'"#),
        Script(#"watch-value set j '{"state":"ready"}'; watch-value wait j --for='.state=="ready"' --timeout 0"#),
        Script("watch-value set j 3; watch-value wait j --for '>= 3' --timeout 0"),
        Script("watch-value set j 3.0; watch-value wait j --for '== 30e-1' --timeout 0"),
        Script("watch-value set j '[1]'; watch-value wait j --for '.[0]' --timeout 0"),
        Script("watch-value set j '{}'; watch-value wait j --for '.a != 1' --timeout 0"),
        Script("watch-value wait ./none --for '.a != 1' --timeout 0"),
        Script("watch-value wait j --for '.a == 1' --timeout 0", code: 1, error: "j: .a == 1 does not hold"),
        Script("watch-value set j 1; watch-value wait j --for '< \"a\"' --timeout 0", code: 1, error: "does not hold"),
        Script(
            "watch-value set j '{\"a\":null}'; watch-value wait j --for .a --timeout 0", code: 1, error: "does not hold"
        ),
        Script(
            #"watch-value set j '{"a":{"b":4}}'; watch-value wait j --at .a --for '.b > 3' --fail-when '.c' --timeout 0"#
        ),
        Script(
            #"watch-value set j '{"a":4}'; watch-value wait j --at .a --for '> 4' --timeout 0"#, code: 1,
            error: "j: .a > 4 does not hold"),
        Script("watch-value set j false; watch-value wait j --for . --timeout 0ms", code: 1, error: "does not hold"),
        Script(
            "watch-value wait j --for .a --timeout 50ms", code: 124, error: "j: timed out after 50ms; .a does not hold"),
        Script(
            "watch-value set j '{\"a\":1,\"b\":1}'; watch-value wait j --for .a --fail-when .b", code: 1,
            error: "j: .b holds"),
        Script(
            "watch-value set j 1; watch-value wait j --fail-when '== 5' --timeout 0", code: 124,
            error: "j: timed out after 0s; . == 5 does not hold"),
        Script("watch-value wait j --for .a --timeout .", code: 64, error: "\".\" is not a time"),
        Script("watch-value wait j --for .a --timeout 0.05", code: 124, error: "j: timed out after 0.05s; .a does not"),
        Script(
            "watch-value set j 1; watch-value wait j --fail-when '== 5' --timeout 50ms", code: 124,
            error: "j: timed out after 50ms; . == 5 does not hold"),
        Script(
            "watch-value set j 5; watch-value wait j --fail-when '== 5' --timeout 0", code: 1, error: "j: . == 5 holds"),
        Script(
            "echo oops > j; watch-value wait ./j --for . --timeout 50ms 2>&1 | tail -n1; exit ${PIPESTATUS[0]}",
            "watch-value: ./j: timed out after 50ms; . does not hold\n", code: 124),
        Script(
            "echo oops > j; watch-value wait ./j --for . --timeout 0 2>&1 | tail -n1; exit ${PIPESTATUS[0]}",
            "watch-value: ./j: . does not hold\n", code: 1),
        Script("watch-value wait j", code: 64, error: "--for PREDICATE"),
        Script("watch-value wait j --for ''", code: 64, error: "watch-value: --for \"\": column 1"),
        Script("watch-value wait j --for '.a = 1'", code: 64, error: "column 4"),
        Script("watch-value wait j --for '.a == ready'", code: 64, error: "double quotes"),
        Script("watch-value wait j --fail-when 'a'", code: 64, error: "--fail-when a: column 1"),
        Script("watch-value wait --for .a", code: 64, error: "wait NAME"),
        Script("watch-value wait j --for .a --for=.b", code: 64, error: "watch-value: --for was given twice\n"),
        Script(
            "watch-value wait j --fail-when .a --for .b --fail-when .a", code: 64,
            error: "watch-value: --fail-when was given twice\n"),
        Script("watch-value set j 1; watch-value wait j --for . --timeout 1s --timeout 0"),
    ])
    func once(_ script: Script) async throws { try await script.check() }

    @Test func untilItHolds() async throws {
        try await Sandbox.run { sandbox in
            let wait = try sandbox.watch(
                #"wait job --for '.state == "ready"' --fail-when '.state == "failed"' --timeout 1m"#)
            for state in ["queued", "running", "ready"] {
                try sandbox.run(#"watch-value set job '{"state":"\#(state)"}'"#)
            }
            let result = try wait.result()
            #expect(result.code == 0)
            #expect(result.output + result.errors == "")
        }
    }

    @Test func failingEarly() async throws {
        try await Sandbox.run { sandbox in
            let wait = try sandbox.watch("wait job --for .done --fail-when .error")
            try sandbox.run(#"watch-value set job '{"error":"disk"}'"#)
            let result = try wait.result()
            #expect(result.code == 1)
            #expect(result.errors == "watch-value: job: .error holds\n")
        }
    }

    @Test func aBadValueIsNotYet() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("echo oops > job")
            let wait = try sandbox.watch("wait ./job --for .")
            try wait.expectError("./job: 1:1: ")
            try sandbox.run("echo 1 > job")
            #expect(try wait.result().code == 0)
        }
    }

    @Test func aSignalEndsIt() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("echo oops > job")
            let wait = try sandbox.watch("wait ./job --fail-when .")
            try wait.expectError("1:1")
            #expect(try wait.end().code == 143)
        }
    }
}
