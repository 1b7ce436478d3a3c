import FileEvents
import SystemCalls
import Testing

@testable import GroupFiles

struct HealthTests {
    /// Another thread reports `.live` after this thread has asked for the health, and before it reports the answer.
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
