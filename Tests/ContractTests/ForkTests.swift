import Foundation
import GroupFiles
import TestSupport
import Testing

/// G15: children that a process forks.
@Suite(.fewAtOnce, .serialized)
struct ForkTests {
    /// G15 and G5: a child that is forked within the body of an update and leaves the body neither writes nor frees the
    /// lock; nor does a child that was made by `_Fork`, which runs none of pthread_atfork's handlers.
    @Test(arguments: ["fork", "_Fork"])
    func G15_aChildForkedWithinAnUpdateDoesNothing(how: String) async throws {
        let folder = try TemporaryDirectory()
        let outcome = try await Program.run(.product("probe"), ["fork-within", folder.path("c"), "v", how])
        #expect(outcome.output == "child forked\nparent has the lock\nparent 1", "\(outcome)")
    }

    /// G15: the child's only thread is a thread of the library, which reads events in the parent.
    @Test(arguments: ["loop", "sink"])
    func G15_aChildThatIsForkedByWhoWasToldTakesNoEvents(how: String) async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["fork-when-told", folder.path("c"), how])
        for value in 0...20 {
            if value > 0 { try await folder.shell("echo \(value) > n; mv n c/v") }
            // Sooner than the look every 30 seconds.
            try await program.line("told \(value)", within: .seconds(10))
        }
    }

    /// G15: a child that a handler forks calls no other handlers; the parent calls those.
    @Test func G15_aChildThatIsForkedByOneOfManyCallsNoOther() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["fork-among-many", folder.path("c")])
        try await program.line("ready")
        try await folder.shell("echo 1 > n; mv n c/v")
        try await program.line("child 0")
    }

    /// G15: nor does the child call that handler again, although something has come for it meanwhile.
    @Test(arguments: ["sink", "observer"])
    func G15_aChildThatIsForkedByAHandlerDoesNotCallItAgain(how: String) async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["fork-before-next", folder.path("c"), how])
        try await program.line("child 0")
    }

    /// Nor does it run the body of an update that has the lock already.
    @Test func G15_aForkedChildRunsNoBody() async throws {
        let outcome = try await Program.run(.product("probe"), ["fork-before-body"])
        #expect(outcome.output == "child: forked\nparent: body\nparent: value 1", "\(outcome)")
    }

    @Test func G15_aForkedChildIsRefused() async throws {
        let folder = try TemporaryDirectory()
        let outcome = try await Program.run(.product("probe"), ["fork", folder.path("c"), "v"])
        #expect(outcome.output == "child forked\nchild forked\nchild forked\nparent 3", "\(outcome)")
    }

    /// Nor does a child look at what is there: it would need the parent's locks for that.
    @Test func G15_aForkedChildWaitsForNothing() async throws {
        let folder = try TemporaryDirectory()
        let outcome = try await Program.run(.product("probe"), ["fork-waiting", folder.path("c")])
        #expect(outcome.output == "forked\nforked\nforked", "\(outcome)")
    }

    /// Calls are refused even where there is nothing to do.
    @Test func G15_aForkedChildsDefaultsAreRefused() async throws {
        let folder = try TemporaryDirectory()
        let outcome = try await Program.run(
            .product("probe"), ["fork-defaults", "group.example"], environment: ["GROUP_CONTAINERS": folder.path])
        #expect(outcome.output == "parent 0\nchild ends", "\(outcome)")
        #expect(try folder.names() == [])
    }

    /// G15 and G4: the parent is still told of what a child releases.
    @Test func G15_aForkedChildThatLetsGoTakesNothingFromItsParent() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1\n", to: "there")
        try folder.write("7\n", to: "other")
        let outcome = try await Program.run(.product("probe"), ["fork-letting-go", folder.path])
        #expect(outcome.output == "parent 7 1", "\(outcome)")
    }

    /// G15: the child can release values even while another thread holds the locks, for which the child would wait for
    /// ever.
    @Test func G15_aForkedChildLetsGoWhileItsParentReads() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1\n", to: "v")
        let outcome = try await Program.run(.product("probe"), ["fork-while-reading", folder.path])
        #expect(outcome.output == "child 0\nparent 7", "\(outcome)")
    }

    /// G15: nor does the child wait for the lock of a property, which is held while the property's file is opened.
    @Test func G15_aForkedChildIsRefusedWhileItsParentOpens() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir group.example; echo 1 > group.example/v")
        let program = try Program(
            .product("probe"), ["fork-while-opening", folder.path, "group.example"],
            environment: ["HOME": "", "XDG_DATA_HOME": "", "GROUP_CONTAINERS": ""])
        for line in ["child forked", "child 0", "parent 1"] { try await program.line(line) }
    }

    /// G15: the lock of the second of two changes does not concern a child that was forked between them.
    @Test func G15_aChildForkedBetweenChangesDoesNotKeepTheLock() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["fork-between", folder.path("c"), "v"])
        let line = try #require(await program.output.first { $0.hasPrefix("child ") })
        let child = try #require(Int32(line.dropFirst(6)))
        defer { _ = kill(child, SIGKILL) }
        program.signal(SIGKILL)
        #expect(try await program.exit() == .signal(SIGKILL))
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .seconds(10))
        await #expect(throws: Never.self) { try await file.write(2) }
    }
}
