import FileEvents
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct DirectoryCoreTests {
    /// Each core gets the events of its own name, in their order, whatever events come between them.
    @Test func eventsGoToTheCoresOfTheirNames() throws {
        let folder = try TemporaryDirectory()
        let directory = DirectoryCore.shared(
            try Path.status(of: folder.path).identity, path: folder.path, watcher: nil)
        let (a, b) = (directory.core("a"), directory.core("b"))
        let told: [(String?, InotifyMask)] = [
            ("x", .create), ("a", .create), ("b", .modify), ("a", .modify), (nil, .attributes), ("a", .closeWrite),
            ("e\u{301}", .create), ("x", .delete), ("b", .delete), ("b", .movedTo), ("a", .movedFrom),
        ]
        let touched = directory.deliver(told.map { InotifyEvent(watch: 1, mask: $1, name: $0) })
        #expect(touched.map(ObjectIdentifier.init) == [a, b].map(ObjectIdentifier.init))
        #expect(a.inbox.withLock { $0.takeAll() } == [.create, .modify, .closeWrite, .movedFrom])
        #expect(b.inbox.withLock { $0.takeAll() } == [.modify, .delete, .movedTo])
        directory.giveBack(folder.path, watcher: nil)
    }

    /// The directory was mounted at the other path, and the store that found it there does not know yet that it no
    /// longer is.
    @Test(arguments: [1, 2])
    func aPathThatLeadsElsewhereByNowIsNotGoneBy(times: Int) throws {
        let folder = try TemporaryDirectory()
        for (name, value) in [("here", "1"), ("elsewhere", "2")] {
            try Directory(path: folder.path).makeDirectory(name, permissions: 0o700)
            try folder.write(value, to: name + "/v")
        }
        let (here, elsewhere) = (folder.path("here"), folder.path("elsewhere"))
        let identity = try Path.status(of: here).identity
        let directory = DirectoryCore.shared(identity, path: here, watcher: nil)
        for _ in 0..<times { _ = DirectoryCore.shared(identity, path: elsewhere, watcher: nil) }
        #expect(directory.path == here)
        #expect(directory.core("v").read(limit: 5).content == .bytes(Array("1".utf8)))
        for _ in 0..<times { directory.giveBack(elsewhere, watcher: nil) }
        #expect(directory.path == here)
        directory.giveBack(here, watcher: nil)
    }

    /// A new directory may get the inode number of a removed one before the removed directory's stores learn of the
    /// removal. To code that knows only the number, a move looks the same.
    @Test func G3_whatNoKnownPathLeadsToAnyMoreIsAnotherDirectory() throws {
        let folder = try TemporaryDirectory()
        let root = try Directory(path: folder.path)
        try root.makeDirectory("old", permissions: 0o700)
        let (old, new) = (folder.path("old"), folder.path("new"))
        let identity = try Path.status(of: old).identity
        let directory = DirectoryCore.shared(identity, path: old, watcher: nil)
        #expect(DirectoryCore.shared(identity, path: folder.path("./old"), watcher: nil) === directory)
        try root.rename("old", to: "new", .replace)
        let other = DirectoryCore.shared(identity, path: new, watcher: nil)
        #expect(other !== directory)
        #expect(DirectoryCore.shared(identity, path: new, watcher: nil) === other)
        withExtendedLifetime(directory) {}
    }

    /// An event for a name that is not UTF-8 comes without the name's text, and belongs to no core.
    @Test func noNameIsFoundUnderNone() throws {
        let folder = try TemporaryDirectory()
        let directory = DirectoryCore.shared(
            try Path.status(of: folder.path).identity, path: folder.path, watcher: nil)
        var table = CoreTable()
        // A name of so many bytes that the table's summary of lengths says that there may be an empty name.
        let long = String(repeating: "l", count: 64)
        let (core, other) = (directory.core("v"), directory.core(long))
        table.insert(core, as: ExactName("v"))
        #expect(table[ExactName("v")] === core)
        table.insert(other, as: ExactName(long))
        #expect(table[ExactName("")] == nil)
        directory.giveBack(folder.path, watcher: nil)
    }

    /// Each name in the table takes memory.
    @Test func namesOfCoresThatLiveNoMoreAreForgotten() throws {
        let folder = try TemporaryDirectory()
        let directory = DirectoryCore.shared(
            try Path.status(of: folder.path).identity, path: folder.path, watcher: nil)
        var table = CoreTable()
        var living: [FileCore] = []
        for number in 0..<10_000 {
            let core = directory.core("\(number)")
            table.insert(core, as: ExactName("\(number)"))
            if number % 100 == 0 { living.append(core) }
        }
        #expect(try privateCount(of: "cores", in: table) <= 3 * living.count)
        for (index, core) in living.enumerated() { #expect(table[ExactName("\(index * 100)")] === core) }
        directory.giveBack(folder.path, watcher: nil)
    }
}
