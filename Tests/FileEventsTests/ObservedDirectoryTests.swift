import Dispatch
import FileEvents
import TestSupport
import Testing

/// An observer of a directory is notified of what comes and goes in it.
struct ObservedDirectoryTests {
    typealias Event = FileObserver.FileSystemEvent

    private static func observer(
        of path: String, _ mask: Event = .write, queue: DispatchQueue? = nil
    ) -> (FileObserver, Log<Event>) {
        let observer = FileObserver(path: path, eventMask: mask, queue: queue)
        let log = observer.logEvents()
        observer.activate()
        return (observer, log)
    }

    /// What is done to `d`, which contains `a`.
    static let changes = [
        "touch d/b", "rm d/a", "mv d/a d/b", "mv d/a .", "touch b; mv b d", "mkdir d/e", "touch b; mv b d/a",
        "touch b; ln b d/b", "ln -s nowhere d/b", "rm -r d; mkdir d; touch d/b", "mv d e; mkdir d; touch d/b",
        #"touch d/"$(printf '\351')""#,
    ]

    @Test(arguments: changes, TemporaryDirectory.Place.allCases)
    func whatComesAndGoesIsAWrite(script: String, place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir d; touch d/a")
        let (observer, log) = Self.observer(of: folder.path("d"))
        defer { observer.cancel() }
        try await folder.shell(script)
        #expect(await log.first(within: .beforeTheHeartbeat) { $0.contains(.write) } != nil)
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func whatHappensWithinAFileInItIsNotTold(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir -p d/e; touch d/a")
        let queue = DispatchQueue(label: "observer")
        let (observer, log) = Self.observer(of: folder.path("d"), queue: queue)
        defer { observer.cancel() }
        try await folder.shell("echo 1 > d/a; echo 2 >> d/a; chmod 600 d/a; touch d/e/f; rm d/e/f")
        await EventBarrier.passed()
        await blocking { queue.sync {} }
        #expect(log.elements == [])
        try await folder.shell("rm d/a")
        #expect(await log.first { _ in true } == .write)
    }

    /// Neither the file nor the directory's list of entries has changed.
    @Test(arguments: ["d", "d/a"], TemporaryDirectory.Place.allCases)
    func permissionsAndTimesOfTheDirectoryAreNoWrite(name: String, place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir d; echo 1 > d/a")
        let (observer, log) = Self.observer(of: folder.path(name), [.write, .delete])
        defer { observer.cancel() }
        try await folder.shell("touch d; chmod 750 d")
        await EventBarrier.passed()
        try await folder.shell("rm d/a")
        #expect(await log.first { _ in true } == (name == "d" ? .write : .delete))
    }

    /// The directory itself, one reached through a link, and one that is only created later.
    @Test(arguments: ["d", "l", "missing"], TemporaryDirectory.Place.allCases)
    func itGoesOnInTheDirectoryThatIsMadeAnew(name: String, place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir d; ln -s d l")
        let (observer, log) = Self.observer(of: folder.path(name))
        defer { observer.cancel() }
        let scripts = [
            "mkdir -p missing; touch \(name)/a", "touch \(name)/b", "rm -r d missing; mkdir d missing",
            "touch \(name)/c", "mv d x; mv missing y; mkdir d missing", "touch \(name)/d", "rm \(name)/d",
        ]
        for script in scripts {
            await EventBarrier.passed()
            let before = log.elements.count
            try await folder.shell(script)
            #expect(await log.reach(within: .beforeTheHeartbeat) { $0.count > before }, "\(script)")
        }
    }

    /// What is done to `d`, which is observed as the parent of `d/sub`, and the event that must be reported.
    static let above: [(path: String, script: String, event: Event)] = [
        ("d/sub/..", "chmod 700 d", .attrib), ("d/sub/..", "mv d e", .rename), ("d/sub/..", "mv d e", .delete),
        ("d/sub/..", "touch d/a", .write), ("d/sub/..", "rmdir d/sub", .delete), ("d/sub/..", "mv d/sub .", .delete),
        ("d/sub/below/../..", "mv d/sub .", .delete), ("d/sub/../sub/..", "chmod 700 d", .attrib),
        ("l/..", "chmod 700 d", .attrib), ("l/..", "rm l", .delete), ("m", "chmod 700 d", .attrib),
        ("m", "mv d e", .rename),
    ]

    @Test(arguments: above.indices, TemporaryDirectory.Place.allCases)
    func oneThatIsObservedFromBelowIsToldAsOne(index: Int, place: TemporaryDirectory.Place) async throws {
        let (path, script, event) = Self.above[index]
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir -p d/sub/below; ln -s d/sub l; ln -s d/sub/.. m; chmod 755 d")
        if script.hasPrefix("rmdir") { try await folder.shell("rmdir d/sub/below") }
        let (observer, log) = Self.observer(of: folder.path(path), .all)
        defer { observer.cancel() }
        try await folder.shell(script)
        #expect(
            await log.reach(within: .beforeTheHeartbeat) { Event($0).contains(event) },
            "\(path), \(script): \(log.elements)")
    }

    @Test func aFileThatBecomesADirectoryIsToldAsOne() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "f")
        let (observer, log) = Self.observer(of: folder.path("f"))
        defer { observer.cancel() }
        try await folder.shell("rm f; mkdir f")
        #expect(await log.first { _ in true } != nil)
        await EventBarrier.passed()
        let before = log.elements.count
        try await folder.shell("touch f/a")
        #expect(await log.reach(within: .beforeTheHeartbeat) { $0.count > before })
    }

    @Test func whoDoesNotAskForWritesIsNotTold() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir d")
        let (observer, log) = Self.observer(of: folder.path("d"), [.attrib, .delete])
        try await folder.shell("touch d/a; rm d/a; rmdir d")
        #expect(await log.first { _ in true } == .delete)
        observer.cancel()
    }
}
