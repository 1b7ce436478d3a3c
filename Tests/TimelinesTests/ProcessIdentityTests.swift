import ExampleSupport
import Foundation
import Testing

/// Whether whoever left something behind is still there.
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
}
