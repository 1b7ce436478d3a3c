import ExampleSupport
import Foundation
import SystemCalls
import TestSupport
import Testing

/// Whether the process that left something behind is still there.
@Suite struct ProcessIdentityTests {
    @Test(arguments: [(0, ""), (1, ""), (0, "of another boot")])
    func onlyTheOneThatRunsIsAlive(later: UInt64, boot: String) throws {
        let current = try JSONEncoder().encode(ProcessIdentity.current)
        var other = try #require(try JSONSerialization.jsonObject(with: current) as? [String: Any])
        other["start"] = ProcessIdentity.current.start + later
        other["boot"] = ProcessIdentity.current.boot + boot
        let identity = try JSONDecoder().decode(
            ProcessIdentity.self, from: JSONSerialization.data(withJSONObject: other))
        #expect(identity.isAlive == (identity == .current))
        #expect(identity.isAlive == (later == 0 && boot.isEmpty))
    }

    /// The process exists until its parent asks how it ended, but it writes nothing any more.
    @Test func whoHasEndedIsNotAlive() async throws {
        var pipe = try PipeEnds()
        let child = try ChildProcess.spawn(
            ["cat"], input: pipe.reading, environment: [], leadsGroup: false)
        let identity = try Self.identity(of: child.identifier)
        #expect(identity.isAlive)
        pipe.closeWriting()
        try #require(try await eventually { try child.hasEnded() })
        #expect(try Self.identity(of: child.identifier) == identity, "it is there still")
        #expect(!identity.isAlive)
        #expect(try child.wait() == .exited(0))
    }

    /// Uses the 22nd field of the process's stat file, see proc(5). The program's name has no spaces.
    private static func identity(of process: Int32) throws -> ProcessIdentity {
        let fields = try ProcessTable.text("/proc/\(process)/stat").split(separator: " ")
        let text = "{\"pid\":\(process),\"start\":\(fields[21]),\"boot\":\"\(ProcessIdentity.current.boot)\"}"
        return try JSONDecoder().decode(ProcessIdentity.self, from: Data(text.utf8))
    }
}
