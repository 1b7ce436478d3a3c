import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Locks that are kept open for the next change. Other tests use the same cache meanwhile, and may close some of these
/// earlier.
struct LockCacheTests {
    private func file(_ name: String, in folder: TemporaryDirectory, _ container: String = "c") throws -> GroupFile<Int>
    {
        let container = try GroupContainer(directory: folder.path(container))
        return try GroupFile(name, in: container, initialValue: 0, durability: .relaxed)
    }

    /// The names that `body` opens.
    private func opened(_ body: () throws -> Void) rethrows -> [String] {
        try SystemCallTap.calls(during: body).filter { $0.call == .open || $0.call == .openat }.map(\.detail)
    }

    /// G9: every cached lock is closed, not only the first.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func eachLockIsClosedAfterAWhile(place: TemporaryDirectory.Place) async throws {
        let (first, other) = (try TemporaryDirectory(on: place), try TemporaryDirectory(on: place))
        let files = try (file("v", in: first), file("v", in: other), file("w", in: other))
        try await files.0.write(1)
        // At any time one of the other locks is open, also when the first is closed.
        #expect(
            try await eventually {
                try await files.1.write(1)
                try await files.2.write(1)
                return try first.openDescriptors == 0
            })
        #expect(try await eventually(within: .seconds(20)) { try other.openDescriptors == 0 })
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func valuesOfOneContainerShareItsDirectories(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let first = try GroupFile("first", in: container, initialValue: 0)
        defer { withExtendedLifetime(first) {} }
        // On a slow machine the previous lock may already be closed, so this takes several attempts.
        let isShared = try (0..<100).contains { round in
            let name = "v\(round)"
            let opened = try opened { _ = try GroupFile(name, in: container, initialValue: 0, durability: .relaxed) }
            return opened.contains(name + ".lock") && !opened.contains(container.path) && !opened.contains(".groupfile")
        }
        #expect(isShared)
    }

    /// Two locks that were taken at the same time opened the directories separately: only one of them is kept open, or
    /// both when they have come to share the directories.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func directoriesAreKeptOpenOnce(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let (one, other) = (try file("v", in: folder), try file("w", in: folder))
        #expect(try await eventually { try folder.openDescriptors == 0 })
        try await blocking {
            // Another thread may still be closing descriptors.
            let areOpenOnce = try (0..<10).contains { _ in
                try one.update { value in
                    value += 1
                    try other.write(1)
                }
                return try folder.openDescriptors <= 4
            }
            #expect(areOpenOnce)
        }
    }

    /// More values than the cache keeps locks are changed in turn: most of them find their locks open.
    @Test func valuesThatAreChangedInTurnFindTheirLocksOpen() async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: .memory)
            let files = try (0..<9).map { try file("v\($0)", in: folder, "c\($0)") }
            // Other tests' locks, or a slow machine, may have caused these to be closed.
            let areOpen = try (0..<1000).contains { _ in
                let locks = try files.flatMap { file in try opened { try file.write(1) } }.filter {
                    $0.hasSuffix(".lock")
                }
                return locks.count < 5
            }
            #expect(areOpen)
        }
    }
}
