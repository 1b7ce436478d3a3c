import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

/// What a comparison of two looks reveals: which file is there, in which directory, and what has happened to it.
struct ComparingTests {
    typealias Event = FileObserver.FileSystemEvent

    private static func look(_ path: String) throws -> FileStatus { try Path.linkStatus(of: path) }

    /// What each script does to `f`, an old file, and to `d`, an old directory, and which events the looks must yield
    /// for each.
    static let changes: [(script: String, file: Event, directory: Event)] = [
        ("true", [], []),
        ("echo 2 > f", [.write, .attrib], []),
        ("echo 22 > f", [.write, .attrib, .extend], []),
        ("echo 2 >> f; touch -d @1000000000 f", [.write, .attrib, .extend], []),
        ("ln f g", .attrib, []),
        ("echo 2 > f; touch -d @1000000000 f", [.write, .attrib], []),
        ("chmod 600 f; chmod 700 d", .attrib, .attrib),
        ("echo 2 > g; mv g f; mkdir g; mv -T g d", [.write, .attrib, .rename], [.write, .attrib, .rename]),
        ("echo 222 > g; mv g f", [.write, .attrib, .rename], []),
        ("touch d/a", [], .write),
        ("mkdir d/a; for i in 1 2 3 4 5 6 7 8; do touch d/$i; done", [], .write),
        ("rm f; rmdir d", .delete, .delete),
    ]

    @Test(arguments: changes.indices, TemporaryDirectory.Place.allCases)
    func tellsWhatMustHaveHappened(index: Int, place: TemporaryDirectory.Place) async throws {
        let (script, file, directory) = Self.changes[index]
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("echo 1 > f; chmod 644 f; mkdir d; chmod 755 d; touch -d @1000000000 f d")
        let paths = [folder.path("f"), folder.path("d")]
        let before = try paths.map(Self.look)
        try await folder.shell(script)
        for (index, event) in [file, directory].enumerated() {
            let now = try event == .delete ? nil : Self.look(paths[index])
            #expect(Event.between(before[index], now, isElsewhere: false) == event, "\(script)")
        }
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func aFileThatWasExchangedUnseenWasRenamedAndNotRevoked(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try folder.write("1", to: "f")
        try folder.write("2", to: "g")
        let (f, g) = (try Self.look(folder.path("f")), try Self.look(folder.path("g")))
        #expect(Event.between(f, g, isElsewhere: false) == [.write, .attrib, .rename])
        #expect(Event.between(f, g, isElsewhere: true) == [.write, .attrib, .revoke])
        #expect(Event.between(f, f, isElsewhere: true) == .revoke)
        #expect(Event.between(f, nil, isElsewhere: false) == .delete)
        #expect(Event.between(nil, f, isElsewhere: false) == [.link, .write])
    }

    /// The observer looks again when the file's permissions change, or those of the directory that contains it.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func whatAnEntryMakesOfItsDirectoryIsNoneOfItsAttributes(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir -p e/d")
        let observer = FileObserver(path: folder.path("e/d"), eventMask: [.attrib, .extend, .link, .delete])
        let log = observer.logEvents()
        observer.activate()
        defer { observer.cancel() }
        try await folder.shell("mkdir e/d/a; touch e/d/b; chmod 755 e")
        await EventBarrier.passed()
        try await folder.shell("rm -r e")
        #expect(await log.first(within: .beforeTheHeartbeat) { $0.contains(.delete) } != nil)
        #expect(log.elements.allSatisfy { $0 == .delete }, "\(log.elements)")
    }

    /// As above, the `chmod` of the directory makes the observer look again. The new name is not the observed one.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func anotherNameForTheFileIsNoWrite(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir d e; echo 1 > d/f; touch -d @1000000000 d/f")
        let observer = FileObserver(path: folder.path("d/f"), eventMask: [.write, .delete, .extend])
        let log = observer.logEvents()
        observer.activate()
        defer { observer.cancel() }
        try await folder.shell("ln d/f e/f; chmod 755 d")
        await EventBarrier.passed()
        try await folder.shell("rm d/f")
        #expect(await log.first(within: .beforeTheHeartbeat) { $0.contains(.delete) } != nil)
        #expect(log.elements.allSatisfy { $0 == .delete }, "\(log.elements)")
    }
}
