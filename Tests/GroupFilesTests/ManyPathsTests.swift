import FileEvents
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Files of one directory that are opened by their paths, each followed by a store of its own: the cost of one file
/// does not grow with the number of others.
struct ManyPathsTests {
    /// Fewer than one for each of the files. A file that has just changed is looked at once more, and read once more
    /// after the settle time.
    private static let few = 10
    private let folder: TemporaryDirectory
    private var files: [GroupFile<Int>] = []

    init() throws {
        folder = try TemporaryDirectory()
        for number in 0..<50 {
            try folder.write("1\n", to: "v\(number)")
            files.append(
                try GroupFile(
                    path: folder.path("v\(number)"), initialValue: 0, codec: .json,
                    options: GroupFileOptions(access: .readOnly)))
        }
    }

    /// How often all threads together look at each of the files.
    private func looks(_ call: SystemCall, during body: () throws -> Void) rethrows -> [String: Int] {
        let start = folder.path("v")
        let looks = Guarded<[String: Int]>([:])
        try SystemCallTap.tapping(everyThread: true) { made, detail in
            if made == call, detail.hasPrefix(start) { looks.withLock { $0[detail, default: 0] += 1 } }
            return .none
        } during: {
            try body()
        }
        return looks.withLock { $0 }
    }

    @Test func aChangeIsReadByTheFileThatChanged() throws {
        let told = Log<Int>()
        let subscription = files[7].sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(told.block { $0.contains(1) })
        let passed = Gate()
        let looks = try looks(.open) {
            try folder.replace("v7", with: "2\n")
            #expect(told.block { $0.contains(2) })
            EventBarrier.whenPassed { passed.open() }
            #expect(passed.wait())
        }
        // The other files may be looked at for another reason: they are new.
        #expect((1...Self.few).contains(looks[folder.path("v7")] ?? 0), "\(looks)")
    }

    /// As at each heartbeat, and where the files are polled; and as when their directory comes back, or events were
    /// lost.
    @Test func eachIsLookedAtByItself() throws {
        let stores = try files.map { try #require($0.store as? DirectoryStore) }
        let reads = looks(.open) { for store in stores { store.everythingMayHaveChanged() } }
        #expect(reads.count == files.count)
        #expect(reads.values.allSatisfy { $0 <= Self.few }, "\(reads)")
        let looks = looks(.fstatat) { for store in stores { _ = store.lookForChanges() } }
        #expect(looks.count == files.count)
        #expect(looks.values.allSatisfy { $0 <= Self.few }, "\(looks)")
    }
}
