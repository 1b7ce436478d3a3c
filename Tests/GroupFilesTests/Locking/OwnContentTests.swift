import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// When a writer need not read what it is about to replace.
struct OwnContentTests {
    /// A core that has published `text` as its own content, and has not read the file since.
    private func published(_ text: String, in folder: TemporaryDirectory) throws -> (GroupFile<String>, FileCore) {
        // The file does not change, and its content decodes: otherwise an event, or the end of the settle time, would
        // cause a read.
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
        // Once the file has been read, it has to look as it did then.
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
            // A writer that makes no temporary file leaves no name in the lock's file.
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

    /// The container's path, or a directory on the way to it, is a file now: the locked directory is no longer the
    /// container's.
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

    /// Content that does not decode is reported once its writer is surely done: also where an own write of the same
    /// bytes shows this.
    @Test func whoWaitsForAWriterIsToldWhereAnOwnWriteOfTheSameIsTheEnd() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        for round in 0..<20 {
            let number = try GroupFile("v\(round)", in: container, initialValue: 0)
            let text = try GroupFile("v\(round)", in: container, initialValue: "", codec: .text)
            try folder.write("no number\n", to: "c/v\(round)")
            // Both objects learn of the content here.
            text.attachedCore.refresh()
            _ = number.value
            try await text.write("no number")
            try #require(await eventually { if case .invalid = number.status { true } else { false } })
            #expect(number.value == 0)
        }
    }
}
