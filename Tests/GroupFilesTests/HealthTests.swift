import FileEvents
import SystemCalls
import Testing

@testable import GroupFiles

struct HealthTests {
    /// Another thread tells `.live` between the moment in which this one has asked, and the one in which it tells.
    @Test func whatIsToldLastIsHowItIs() throws {
        let wasAsked = Guarded(false)
        let store = StoreOverMemory {
            wasAsked.withLock { exchange(&$0, with: true) } ? .live : .polling(reason: "a test")
        }
        let file = GroupFile(
            "v", store: store, initialValue: 0, codec: .json,
            options: GroupFileOptions(access: .readOnly, durability: .relaxed, maximumSize: 100))
        #expect(file.accepted.health == .live)
    }
}
