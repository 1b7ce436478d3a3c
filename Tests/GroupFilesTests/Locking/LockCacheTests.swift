import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Locks that are open for the next change. Other tests use the same cache meanwhile: they may close some of these earlier.
struct LockCacheTests {
    private func file(_ name: String, in folder: TemporaryDirectory, _ container: String = "c") throws -> GroupFile<Int>
    {
        let container = try GroupContainer(directory: folder.path(container))
        return try GroupFile(name, in: container, initialValue: 0, durability: .relaxed)
    }

    /// What `body` opens.
    private func opened(_ body: () throws -> Void) rethrows -> [String] {
        try SystemCallTap.calls(during: body).filter { $0.call == .open || $0.call == .openat }.map(\.detail)
    }

    /// G9: not only the first of them.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func eachLockIsClosedAfterAWhile(place: TemporaryDirectory.Place) async throws {
        let (first, other) = (try TemporaryDirectory(on: place), try TemporaryDirectory(on: place))
        let files = try (file("v", in: first), file("v", in: other), file("w", in: other))
        try await files.0.write(1)
        // One of the others is open at any time, also when the first is closed.
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
        // A slow machine may have closed the one before it.
        let isShared = try (0..<100).contains { round in
            let name = "v\(round)"
            let opened = try opened { _ = try GroupFile(name, in: container, initialValue: 0, durability: .relaxed) }
            return opened.contains(name + ".lock") && !opened.contains(container.path) && !opened.contains(".groupfile")
        }
        #expect(isShared)
    }

    /// Two that were taken at the same time have opened the directories for themselves: one of them stays open, or both
    /// when they have come to share them.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func directoriesAreKeptOpenOnce(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let (one, other) = (try file("v", in: folder), try file("w", in: folder))
        #expect(try await eventually { try folder.openDescriptors == 0 })
        try await blocking {
            // Another thread may be about to close some more.
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

    /// More values than locks are kept, changed in turn: most of them find their locks open.
    @Test func valuesThatAreChangedInTurnFindTheirLocksOpen() async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: .memory)
            let files = try (0..<9).map { try file("v\($0)", in: folder, "c\($0)") }
            // Other tests' locks, and a slow machine, have them closed.
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
