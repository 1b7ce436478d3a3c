import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// When a file that was not found has to be looked for again.
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

        #expect(!insert(first))  // Nobody tells, however often it is looked for.
        #expect(try !asksForNewNames(folder))
        missing.follow(folder.path, store)
        #expect(insert(first))
        #expect(try asksForNewNames(folder))
        #expect(!insert(first))
        // It was told to others already, but not when this one was looked for.
        #expect(insert(second))
        #expect(!insert(second))
        // It was not told for a while.
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

    /// A removal, before the settle time is over. An exchange, which tells that the value was renamed away, is none.
    @Test(arguments: [[InotifyMask.delete], [.movedTo, .movedFrom]])
    func aRemovalIsNotWaitedFor(masks: [InotifyMask]) throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "v")
        let file = try GroupFile(
            "v", in: GroupContainer(directory: folder.path), initialValue: 0, access: .readOnly)
        let core = file.attachedCore
        let calls = Guarded<[SystemCall]>([])
        SystemCallTap.tapping { call, _ in
            calls.withLock { $0.append(call) }
            return .none
        } during: {
            core.namesChanged(masks)
        }
        #expect(calls.withLock { $0.contains(.inotify_add_watch) } == masks.contains(.delete))
        withExtendedLifetime(file) {}
    }
}
