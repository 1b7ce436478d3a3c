import FileEvents
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// When the library has to look again for a file that was not found.
struct MissingFilesTests {
    private final class File: Sendable {}

    private func asksForNewNames(_ folder: TemporaryDirectory) throws -> Bool {
        try KernelWatch.events(of: folder.path)?.contains(.create) ?? false
    }

    @Test func whatMayHaveBeenMadeUnseenIsLookedForAgain() throws {
        let folder = try TemporaryDirectory()
        let missing = MissingFiles(of: try Path.status(of: folder.path).identity)
        let store = MemoryStore(path: "nobody")
        let (first, second) = (File(), File())
        func insert(_ file: File) -> Bool { missing.insert(ObjectIdentifier(file)) }

        #expect(!insert(first))  // Nobody reports new names, however often the file is looked for.
        #expect(try !asksForNewNames(folder))
        missing.follow(folder.path, store)
        #expect(insert(first))
        #expect(try asksForNewNames(folder))
        #expect(!insert(first))
        // New names are reported by now, but were not when the second file was looked for.
        #expect(insert(second))
        #expect(!insert(second))
        // New names were not reported for a while.
        missing.leave(folder.path, ObjectIdentifier(store))
        #expect(try !asksForNewNames(folder))
        missing.follow(folder.path, store)
        #expect(insert(first))
        missing.leave(folder.path, ObjectIdentifier(store))
    }

    @Test func itIsToldUntilTheLastFileIsFoundOrTheLastPathIsLeft() throws {
        let folder = try TemporaryDirectory()
        let missing = MissingFiles(of: try Path.status(of: folder.path).identity)
        let store = MemoryStore(path: "nobody")
        let files = [File(), File()]
        missing.follow(folder.path, store)
        missing.follow(folder.path, store)
        for file in files { #expect(missing.insert(ObjectIdentifier(file))) }
        missing.remove(ObjectIdentifier(files[0]))
        #expect(try asksForNewNames(folder))
        missing.remove(ObjectIdentifier(files[1]))
        #expect(try !asksForNewNames(folder))
        #expect(missing.insert(ObjectIdentifier(files[1])))
        missing.leave(folder.path, ObjectIdentifier(store))
        #expect(try asksForNewNames(folder))
        missing.leave(folder.path, ObjectIdentifier(store))
        #expect(try KernelWatch.events(of: folder.path) == nil)
    }

    /// However many files are missing at once in a directory that was moved away: stores that are still to follow the
    /// path are asked to do so once more afterwards, not once for each file.
    @Test func pathsAreNotFollowedForEachFile() throws {
        let folder = try TemporaryDirectory()
        try Directory(path: folder.path).makeDirectory("d", permissions: 0o700)
        let jobs = Guarded<[ThreadPool.Job]>([])
        let missing = MissingFiles(of: try Path.status(of: folder.path("d")).identity) { job in
            jobs.withLock { $0.append(job) }
        }
        let stores = (0..<10).map { _ in MemoryStore(path: "nobody") }
        for store in stores { missing.follow(folder.path("d"), store) }
        try Directory(path: folder.path).rename("d", to: "e", in: Directory(path: folder.path), .replace)
        func take() -> [ThreadPool.Job] { jobs.withLock { exchange(&$0, with: []) } }

        let files = (0..<10).map { _ in File() }
        for file in files { _ = missing.insert(ObjectIdentifier(file)) }
        let first = take()
        #expect(first.count == stores.count)
        for job in first.dropLast() { job() }
        #expect(take().isEmpty)
        first.last?()
        let second = take()
        #expect(second.count == stores.count)
        for job in second { job() }
        #expect(take().isEmpty)
        // A file that is missing later makes the stores follow the path at once.
        _ = missing.insert(ObjectIdentifier(files[0]))
        #expect(take().count == stores.count)
        for store in stores { missing.leave(folder.path("d"), ObjectIdentifier(store)) }
    }

    /// The core notes a removal before the settle time is over. An exchange, which reports that the value was renamed
    /// away, is no removal.
    @Test(arguments: [[InotifyMask.delete], [.movedTo, .movedFrom]])
    func aRemovalIsNotWaitedFor(masks: [InotifyMask]) throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "v")
        let file = try GroupFile(
            "v", in: GroupContainer(directory: folder.path), initialValue: 0, access: .readOnly)
        let core = file.attachedCore
        let calls = SystemCallTap.calls { core.namesChanged(masks) }
        #expect(calls.contains { $0.call == .inotify_add_watch } == masks.contains(.delete))
        withExtendedLifetime(file) {}
    }
}
