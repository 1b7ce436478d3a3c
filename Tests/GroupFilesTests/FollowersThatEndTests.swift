import FileEvents
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Stores may be released at any moment, also while all stores that watch a directory are told to follow their paths.
struct FollowersThatEndTests {
    /// Leaves the directory when it ends, as a ``DirectoryStore`` does.
    private final class EndingStore: ContentStore {
        let path: String
        private let missing: MissingFiles

        init(_ path: String, _ missing: MissingFiles) {
            self.path = path
            self.missing = missing
            missing.follow(path, self)
        }

        deinit { missing.leave(path, ObjectIdentifier(self)) }

        var pathForWriting: String? { nil }
        var sharing: Sharing? { nil }
        var health: WatchHealth { .live }
        func add(_ listener: any StoreListener) {}
        func remove(_ id: ObjectIdentifier) {}
        func followPath() {}
        func leads(_ listener: any StoreListener, to core: FileCore) -> PathAnswer { .unknown }
        func coreForWriting(_ listener: any StoreListener, makesDirectory: Bool) throws(GroupFileError) -> FileCore {
            throw GroupFileError(.invalidName, message: path)
        }
    }

    /// A store's `deinit` takes the lock under which stores are told: nothing under that lock may hold the last
    /// reference to one.
    @Test(.endsInTime)
    func aStoreThatEndsWhileAllAreToldToFollowLeaves() async throws {
        let folder = try TemporaryDirectory()
        let jobs = Guarded<[ThreadPool.Job]>([])
        // The identity is not the folder's, so that the path seems to lead elsewhere each time.
        let missing = MissingFiles(of: try Path.status(of: "/").identity) { job in jobs.withLock { $0.append(job) } }
        @Sendable func take() -> [ThreadPool.Job] { jobs.withLock { exchange(&$0, with: []) } }
        let isOver = Guarded(false)
        async let ending: Void = blocking {
            while !isOver.withLock({ $0 }) {
                let stores = (0..<2).map { _ in EndingStore(folder.path, missing) }
                // So that the stores end at any moment while they are being told.
                var rest = Int.random(in: 0..<200)
                while rest > 0 { rest -= 1 }
                withExtendedLifetime(stores) {}
            }
        }
        await blocking {
            var told = 0
            while told < 100_000 {
                missing.followElsewhere()
                let jobs = take()
                for job in jobs { job() }
                told += jobs.count
            }
            isOver.withLock { $0 = true }
        }
        await ending
    }
}
