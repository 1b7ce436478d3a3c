import FileEvents
import SystemCalls
import Testing

@testable import GroupFiles

struct HealthTests {
    /// Another thread tells `.live` between the moment in which this one has asked, and the one in which it tells.
    @Test func whatIsToldLastIsHowItIs() throws {
        let store = RecoveringStore()
        let file = GroupFile(
            "v", store: store, initialValue: 0, codec: .json,
            options: GroupFileOptions(access: .readOnly, durability: .relaxed, maximumSize: 100))
        #expect(file.accepted.health == .live)
    }
}

/// Says that it polls when it is asked first, and is live from then on.
private final class RecoveringStore: ContentStore {
    private let inner = MemoryStore(path: "test")
    private let wasAsked = Guarded(false)

    var health: WatchHealth {
        wasAsked.withLock { exchange(&$0, with: true) } ? .live : .polling(reason: "a test")
    }

    var path: String { inner.path }
    var pathForWriting: String? { inner.pathForWriting }
    var sharing: Sharing? { inner.sharing }
    func add(_ listener: any StoreListener) { inner.add(listener) }
    func remove(_ id: ObjectIdentifier) { inner.remove(id) }
    func coreForWriting(_ listener: any StoreListener, makesDirectory: Bool) throws(GroupFileError) -> FileCore {
        try inner.coreForWriting(listener, makesDirectory: makesDirectory)
    }
    func leads(_ listener: any StoreListener, to core: FileCore) -> PathAnswer { inner.leads(listener, to: core) }
    func followPath() { inner.followPath() }
}
