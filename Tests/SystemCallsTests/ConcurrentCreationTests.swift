import Foundation
import SystemCalls
import TestSupport
import Testing

/// Another user is just creating something for his group when a process comes to it.
struct ConcurrentCreationTests {
    private static let wanted: UInt32 = 0o2770

    /// Makes a directory as it is before its creator has opened it to the group, and gives it to another user if
    /// `owner` is one.
    private func make(
        _ name: String, in folder: TemporaryDirectory, of owner: UInt32, permissions: UInt32 = 0o700
    ) throws -> FileStatus {
        let path = folder.path(name)
        #expect(unsafe (mkdir(path, permissions), chown(path, owner, .max)) == (0, 0))
        return try Path.linkStatus(of: path)
    }

    @Test(
        .enabled(if: CurrentProcess.effectiveUser == 0, "only root can give directories away"),
        arguments: TemporaryDirectory.Place.allCases)
    func whatIsInUseIsNotWaitedFor(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        // If the test is held up for two seconds, the directory is no longer young.
        let young = try (0..<100).first { round in
            let making = ConcurrentCreation(until: Self.wanted)
            return making.pausesIfUnderWay(try make("young\(round)", in: folder, of: 65534))
        }
        let name = "young\(try #require(young))"
        // Now the directory contains another. Btrfs does not count subdirectories: there a caller waits, but only while
        // the directory is young.
        try FileManager.default.createDirectory(atPath: folder.path(name + "/d"), withIntermediateDirectories: false)
        if try Path.linkStatus(of: folder.path).links > 1 {
            #expect(
                !ConcurrentCreation(until: Self.wanted).pausesIfUnderWay(try Path.linkStatus(of: folder.path(name))))
        }
        let making = ConcurrentCreation(until: 0o700)
        #expect(!making.pausesIfUnderWay(try make("ownersAlone", in: folder, of: 65534)))
    }

    /// A directory's creator may enter it, unless the umask denies that. Root may enter it in any case.
    @Test(arguments: [wanted, 0o700], [UInt32(0o700), 0o500, 0o600, 0])
    func ownDirectoriesAreWaitedForWhereTheOwnerIsKeptOut(wanted: UInt32, permissions: UInt32) throws {
        let folder = try TemporaryDirectory()
        let owner = CurrentProcess.effectiveUser
        // If the test is held up for two seconds, the directory is no longer young.
        let isWaitedFor = try (0..<20).contains { round in
            let making = ConcurrentCreation(until: wanted)
            return making.pausesIfUnderWay(try make("d\(round)", in: folder, of: owner, permissions: permissions))
        }
        #expect(isWaitedFor == (permissions != 0o700 && owner != 0))
        // The same after a refused call.
        let isWaitedForWhenRefused = try (0..<20).contains { round in
            var making = ConcurrentCreation(until: wanted)
            let status = try make("e\(round)", in: folder, of: owner, permissions: permissions)
            // The first retry is granted in any case.
            return making.pausesIfRefusedTooEarly { status } && making.pausesIfRefusedTooEarly { status }
        }
        #expect(isWaitedForWhenRefused == (permissions != 0o700 && owner != 0))
    }

    /// The directory may have been finished between the refusal and the look, or be gone.
    @Test(arguments: [true, false])
    func whatWasRefusedIsTriedOnceMoreWhereItIsFinished(isThere: Bool) throws {
        let folder = try TemporaryDirectory()
        func look() throws(Errno) -> FileStatus { try Path.linkStatus(of: isThere ? folder.path : folder.path("none")) }
        var making = ConcurrentCreation(until: Self.wanted)
        let pauses = [making.pausesIfRefusedTooEarly(look), making.pausesIfRefusedTooEarly(look)]
        #expect(pauses == [true, false])
    }
}
