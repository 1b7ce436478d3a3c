import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// What the lock rests on: its file, and who has it open.
struct LockFileTests {
    /// G5: where somebody has removed `.groupfile`, the lock that this process has open is nobody's lock any more.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G5_aLockWhoseFileIsGoneLocksNothing(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .milliseconds(100))
        let other = try GroupFile("v", in: container, initialValue: 0)
        try await blocking {
            for round in 1...10 {
                try other.write(round)
                // At once, while that lock is still open.
                try FileManager.default.removeItem(atPath: folder.path("c/.groupfile"))
                let directory = try Directory(path: folder.path("c"))
                try directory.makeDirectory(".groupfile", permissions: 0o700)
                let held = FileLock(try directory.open(".groupfile/v.lock", [.readWrite, .create], permissions: 0o600))
                let isHeld = try held.tryLock()
                #expect(isHeld)
                #expect(throws: GroupFileError.self) { try file.write(-round) }
                #expect(try folder.read("c/v") == "\(round)\n")
                held.unlock()
            }
        }
        try await other.write(11)
        #expect(try folder.read("c/v") == "11\n")
    }

    /// G9: a program that this process starts gets none of the library's descriptors, in the middle of an update either.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G9_programsInheritNothing(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let outcome = try await Program.run(.product("probe"), ["inherit", folder.path("c"), "v"])
        let links = outcome.output.split(separator: "\n").filter { $0.contains(" -> ") }
        // Its own three, and the directory that it lists.
        #expect(links.count >= 4, "\(outcome)")
        let foreign = links.filter { link in
            ["inotify", "timerfd", folder.path].contains { link.contains($0) }
        }
        #expect(foreign == [])
    }
}
