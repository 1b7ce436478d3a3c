import FileEvents
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct DirectoryCoreTests {
    /// Each core gets its own, in their order, whatever comes between them.
    @Test func eventsGoToTheCoresOfTheirNames() throws {
        let folder = try TemporaryDirectory()
        let directory = DirectoryCore.shared(
            try Path.status(of: folder.path).identity, path: folder.path, watcher: nil)
        let (a, b) = (directory.core("a"), directory.core("b"))
        let told: [(String?, InotifyMask)] = [
            ("x", .create), ("a", .create), ("b", .modify), ("a", .modify), (nil, .attributes), ("a", .closeWrite),
            ("e\u{301}", .create), ("x", .delete), ("b", .delete), ("b", .movedTo), ("a", .movedFrom),
        ]
        let found = directory.existingCores(of: told.map { InotifyEvent(watch: 1, mask: $1, name: $0) })
        try #require(found.count == 2)
        #expect(found[0].core === a)
        #expect(found[0].masks == [.create, .modify, .closeWrite, .movedFrom])
        #expect(found[1].core === b)
        #expect(found[1].masks == [.modify, .delete, .movedTo])
        directory.giveBack(folder.path, watcher: nil)
    }
}
