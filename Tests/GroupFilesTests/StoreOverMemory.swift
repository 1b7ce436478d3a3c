import FileEvents
import SystemCalls

@testable import GroupFiles

/// A store in memory whose health a test decides, and which counts the listeners that are present.
final class StoreOverMemory: ContentStore {
    private let inner = MemoryStore(path: "test")
    private let present = Guarded<Set<ObjectIdentifier>>([])
    private let healthNow: @Sendable () -> WatchHealth

    init(health: @escaping @Sendable () -> WatchHealth = { .live }) {
        healthNow = health
    }

    var count: Int { present.withLock(\.count) }
    var health: WatchHealth { healthNow() }

    func add(_ listener: any StoreListener) {
        present.withLock { _ = $0.insert(ObjectIdentifier(listener)) }
        inner.add(listener)
    }

    func remove(_ id: ObjectIdentifier) {
        present.withLock { _ = $0.remove(id) }
        inner.remove(id)
    }

    var path: String { inner.path }
    var pathForWriting: String? { inner.pathForWriting }
    var sharing: Sharing? { inner.sharing }
    func coreForWriting(_ listener: any StoreListener, makesDirectory: Bool) throws(GroupFileError) -> FileCore {
        try inner.coreForWriting(listener, makesDirectory: makesDirectory)
    }
    func leads(_ listener: any StoreListener, to core: FileCore) -> PathAnswer { inner.leads(listener, to: core) }
    func followPath() { inner.followPath() }
}
