import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// When a writer need not read what it is about to replace.
struct OwnContentTests {
    /// A core whose content is said to be its own, and was not read since.
    private func published(_ text: String, in folder: TemporaryDirectory) throws -> (GroupFile<String>, FileCore) {
        // Nothing happens to the file, and what is in it decodes: an event would have it read, or the settle time's end.
        try folder.write(#""0""#, to: "v")
        let container = try GroupContainer(directory: folder.path)
        let file = try GroupFile("v", in: container, initialValue: "", access: .readOnly)
        _ = try file.attachedCore.publish(.bytes(Array(text.utf8)), by: nil) { () throws(GroupFileError) in true }
        return (file, file.attachedCore)
    }

    @Test func ownContentIsKnownWhereNobodyElseHeldTheLock() throws {
        let folder = try TemporaryDirectory()
        let (file, core) = try published(#""123""#, in: folder)
        try folder.write(#""321""#, to: "elsewhere")
        let sameSize = try Path.linkStatus(of: folder.path("elsewhere")).fingerprint
        try folder.write(#""1234""#, to: "elsewhere")
        let otherSize = try Path.linkStatus(of: folder.path("elsewhere")).fingerprint
        #expect(core.content(ifStill: sameSize) == .bytes(Array(#""123""#.utf8)))
        #expect(core.content(ifStill: otherSize) == nil)
        #expect(core.content(ifStill: nil) == nil)
        // Once it has been read, it has to look as it did then.
        core.refresh()
        #expect(core.content(ifStill: sameSize) == nil)
        withExtendedLifetime(file) {}
    }

    @Test func whoWroteUnderTheLockIsSeen() throws {
        let folder = try TemporaryDirectory()
        let (file, core) = try published(#""1""#, in: folder)
        func isUndisturbed(writes: Bool = true) throws -> Bool {
            let lock = try core.file.lock(LockRequest(limit: 100)) { _ in true }
            defer { lock.release() }
            // Whoever makes no file leaves no name.
            if writes { try lock.prepare([0x31], durability: .relaxed) }
            return lock.isUndisturbed
        }
        _ = try isUndisturbed()
        #expect(try isUndisturbed())
        try folder.write("v.another.tmp\n", to: ".groupfile/v.lock")
        #expect(try !isUndisturbed(writes: false))
        #expect(try !isUndisturbed())
        #expect(try isUndisturbed())
        withExtendedLifetime(file) {}
    }

    /// What bears the container's name, or is on the way to it, is a file now: the directory is another one, if any.
    @Test func aLockIsNoLockWhereAFileIsOnItsWay() throws {
        let folder = try TemporaryDirectory()
        let (file, core) = try published(#""1""#, in: folder)
        try folder.write("", to: "w")
        let error = #expect(throws: GroupFileError.self) {
            _ = try core.file.lock(LockRequest(container: folder.path("w"), limit: 100)) { _ in true }
        }
        #expect(error?.code == .directoryKeepsChanging)
        withExtendedLifetime(file) {}
    }

    /// Content that does not decode is told once its writer is surely done: also where an own write of the same says so.
    @Test func whoWaitsForAWriterIsToldWhereAnOwnWriteOfTheSameIsTheEnd() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        for round in 0..<20 {
            let number = try GroupFile("v\(round)", in: container, initialValue: 0)
            let text = try GroupFile("v\(round)", in: container, initialValue: "", codec: .text)
            try folder.write("no number\n", to: "c/v\(round)")
            // Both learn of it here.
            text.attachedCore.refresh()
            _ = number.value
            try await text.write("no number")
            try #require(await eventually { if case .invalid = number.status { true } else { false } })
            #expect(number.value == 0)
        }
    }
}
