import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Directories that come and go under files that are open.
@Suite(.timeLimit(.minutes(2)))
struct DirectoryLifecycleTests {
    /// A file that is opened finds news, and tells the others, of which it then may hold the last reference.
    @Test func filesMayGoWhileAnotherIsOpened() async throws {
        let folder = try TemporaryDirectory(on: .memory)
        let container = try GroupContainer(
            directory: folder.path("c"), access: .readWrite, sharing: .owner, usesNotifications: false)
        let files = Guarded<[GroupFile<String>]>([])
        let codec = GroupCodec<String>(
            encode: { Data($0.utf8) },
            decode: { data in
                let text = String(decoding: data, as: UTF8.self)
                // The first one that is told: nobody else holds them now.
                if text == "new" {
                    _ = files.withLock { files in
                        defer { files = [] }
                        return files
                    }
                }
                return text
            })
        for _ in 0..<1000 {
            let file = try GroupFile("v", in: container, initialValue: "old", codec: codec)
            files.withLock { $0.append(file) }
        }
        try folder.write("new", to: "c/v")
        let done = Log<Result<String, any Error>>()
        try Thread.spawn(named: "opener") {
            done.append(Result { try GroupFile("v", in: container, initialValue: "", codec: codec).value })
        }
        #expect(try await done.first { _ in true }?.get() == "new")
    }

    /// `states` tells what an own write found out of the directory, too.
    @Test func G14_healthIsToldWhereAWriteMadeTheDirectory() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let states = Log<GroupFileHealth>()
        let subscription = file.sinkStates { states.append($0.health) }
        defer { subscription.cancel() }
        #expect(await states.first { $0 == .live } != nil)
        try FileManager.default.removeItem(atPath: folder.path("c"))
        #expect(await states.first { $0 == .waitingForDirectory } != nil)
        try await file.write(1)
        #expect(await states.wait(within: .seconds(5)) { $0.last == .live ? true : nil } == true)
    }

    /// A directory that becomes a link just when it is about to be watched.
    @Test func G4_aLinkThatComesWhileThePathIsFollowedIsWatched() async throws {
        let folder = try TemporaryDirectory()
        let old = folder.path("d")
        for (name, value) in [("d", "1"), ("other", "2")] {
            try FileManager.default.createDirectory(atPath: folder.path(name + "/c"), withIntermediateDirectories: true)
            try folder.write(value, to: name + "/c/v")
        }
        let moved = folder.path("moved")
        let isMoved = Guarded(false)
        let file = try SystemCallTap.tapping { call, detail in
            if call == .inotify_add_watch, detail == old,
                !isMoved.withLock({ isMoved in
                    defer { isMoved = true }
                    return isMoved
                })
            {
                _ = unsafe rename(old, moved)
                _ = unsafe symlink("moved", old)
            }
            return .none
        } during: {
            try GroupFile("v", in: GroupContainer(directory: folder.path("d/c")), initialValue: 0, access: .readOnly)
        }
        #expect(isMoved.withLock { $0 })
        #expect(file.value == 1)
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        _ = try await Program.run(.command("ln"), ["-sfn", "other", "d"], directory: folder.path)
        #expect(await told.first(within: .seconds(10)) { $0 == 2 } != nil)
    }
}
