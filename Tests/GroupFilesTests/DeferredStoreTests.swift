import FileEvents
import SystemCalls
import Testing

@testable import GroupFiles

/// A store that is opened late.
struct DeferredStoreTests {
    private static let noPlace = GroupFileError(.noContainers, "there is no place for containers")

    private static func file(_ store: any ContentStore) -> GroupFile<Int> {
        GroupFile(
            "v", store: store, initialValue: 0, codec: .json,
            options: GroupFileOptions(durability: .relaxed, maximumSize: 100))
    }

    @Test func theLastReasonForWhichItCannotBeOpenedIsTold() {
        let notAllowed = GroupFileError(.permissionDenied, "the place is closed")
        let store = DeferredStore(Self.noPlace) { () throws(GroupFileError) in throw notAllowed }
        #expect(Self.file(store).status == .invalid(Self.noPlace))
        store.tryToOpen()
        #expect(Self.file(store).status == .invalid(notAllowed))
    }

    /// Whether it was there before the store, or came later.
    @Test(arguments: [true, false]) func whoIsGoneLeavesTheStoreThatWasOpened(wasEarlier: Bool) throws {
        let inner = CountingStore()
        let store = DeferredStore(Self.noPlace) { () throws(GroupFileError) in inner }
        var file: GroupFile<Int>?
        if wasEarlier { file = Self.file(store) }
        store.tryToOpen()
        if !wasEarlier { file = Self.file(store) }
        try file?.write(1)
        #expect(inner.count == 1)
        file = nil
        #expect(inner.count == 0)
    }
}

/// Counts who is there.
private final class CountingStore: ContentStore {
    private let inner = MemoryStore(path: "test")
    private let present = Guarded<Set<ObjectIdentifier>>([])

    var count: Int { present.withLock(\.count) }

    func add(_ listener: any StoreListener) {
        present.withLock { _ = $0.insert(ObjectIdentifier(listener)) }
        inner.add(listener)
    }

    func remove(_ id: ObjectIdentifier) {
        present.withLock { _ = $0.remove(id) }
        inner.remove(id)
    }

    var health: WatchHealth { inner.health }
    var path: String { inner.path }
    var pathForWriting: String? { inner.pathForWriting }
    var sharing: Sharing? { inner.sharing }
    func coreForWriting(_ listener: any StoreListener, makesDirectory: Bool) throws(GroupFileError) -> FileCore {
        try inner.coreForWriting(listener, makesDirectory: makesDirectory)
    }
    func leads(_ listener: any StoreListener, to core: FileCore) -> PathAnswer { inner.leads(listener, to: core) }
    func followPath() { inner.followPath() }
}
