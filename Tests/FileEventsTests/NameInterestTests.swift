import Dispatch
import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

/// When the kernel is asked to report new names.
struct NameInterestTests {
    private func asksForNewNames(_ folder: TemporaryDirectory) throws -> Bool {
        try #require(try KernelWatch.events(of: folder.path)).contains(.create)
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func aDirectoryTellsOfThemOnlyWhereSomebodyAsks(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let recorder = Recorder()
        let watch = PathWatch(path: folder.path, leaf: nil, delegate: recorder)
        defer { watch.cancel() }
        #expect(try !asksForNewNames(folder))
        try folder.replace("a", with: "1")
        #expect(await recorder.first("a", .movedTo) != nil)
        #expect(recorder.log.elements.allSatisfy { !$0.isEvent(.create) }, "\(recorder.log.elements)")

        let names = NameInterest(.create)
        #expect(names.begin(in: folder.path))
        #expect(!names.begin(in: folder.path))
        #expect(try asksForNewNames(folder))
        try Directory(path: folder.path).link("a", to: "b")
        #expect(await recorder.first("b", .create) != nil)
        names.end()
        #expect(try !asksForNewNames(folder))
        #expect(names.begin(in: folder.path))
        names.end()
        // Events that the watch itself wants still arrive.
        try folder.replace("c", with: "1")
        #expect(await recorder.first("c", .movedTo) != nil)
    }

    @Test func whoListsNamesIsAlwaysTold() async throws {
        let folder = try TemporaryDirectory()
        let recorder = Recorder()
        let watch = PathWatch(path: folder.path, leaf: nil, watchesNewNames: true, delegate: recorder)
        defer { watch.cancel() }
        try Directory(path: folder.path).makeDirectory("d", permissions: 0o700)
        #expect(await recorder.first("d", .create) != nil)
        #expect(try asksForNewNames(folder))
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func aLeafTellsOfThemWhileItIsMissing(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try folder.write("1", to: "f")
        try folder.write("1", to: "other")
        let root = try Directory(path: folder.path)
        let recorder = Recorder()
        let watch = PathWatch(path: folder.path, leaf: "f", delegate: recorder)
        defer { watch.cancel() }
        #expect(try !asksForNewNames(folder))
        try folder.replace("f", with: "1")
        #expect(await recorder.first("f", .movedTo) != nil)
        #expect(recorder.log.elements.allSatisfy { !$0.isEvent(.create) }, "\(recorder.log.elements)")
        try root.unlink("f")
        #expect(await recorder.first("f", .delete) != nil)
        #expect(try asksForNewNames(folder))
        try root.link("other", to: "f")
        #expect(await recorder.first("f", .create) != nil)
        #expect(try !asksForNewNames(folder))
        // A symbolic link takes the place of the file, which has gone.
        try root.rename("f", to: "g", .replace)
        #expect(await recorder.first("f", .movedFrom) != nil)
        #expect(try asksForNewNames(folder))
        _ = try await Program.run(.command("ln"), ["-s", "other", "f"], directory: folder.path)
        #expect(await eventually(within: .beforeTheHeartbeat) { watch.target?.leaf == "other" })
        #expect(try !asksForNewNames(folder))
    }

    /// A symbolic link is created just after the look that found its name missing, before new names have been asked
    /// for.
    @Test(arguments: [false, true])
    func whatIsMadeJustBeforeItIsToldIsFound(isDirectory: Bool) throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "other")
        try Directory(path: folder.path).makeDirectory("directory", permissions: 0o700)
        let (path, name) = (folder.path, isDirectory ? "d" : "f")
        let hasLooked = Guarded(false)
        let isMade = Guarded(false)
        let watch = SystemCallTap.tapping { call, detail in
            if detail == path + "/" + name { hasLooked.withLock { $0 = true } }
            if call == .inotify_add_watch, detail == path, hasLooked.withLock({ $0 }),
                !isMade.withLock({ exchange(&$0, with: true) })
            {
                _ = unsafe symlink(isDirectory ? "directory" : "other", path + "/" + name)
            }
            return .none
        } during: {
            PathWatch(path: isDirectory ? path + "/d" : path, leaf: isDirectory ? nil : "f", delegate: Recorder())
        }
        defer { watch.cancel() }
        #expect(isMade.withLock { $0 })
        #expect(isDirectory ? watch.target?.path == path + "/directory" : watch.target?.leaf == "other")
        #expect(watch.health == .live)
    }

    /// The file is there again before its observer learns that it went.
    @Test(arguments: ["rm f; ln g f", "rm f; mkdir f", "rm f; echo 2 > f", "mv f h; rm h; ln g f"])
    func anObserverIsToldOfALink(script: String) async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "f")
        try folder.write("1", to: "g")
        let observer = FileObserver(path: folder.path("f"))
        let log = observer.logEvents()
        observer.activate()
        defer { observer.cancel() }
        try await folder.shell(script)
        let wanted: FileObserver.FileSystemEvent = [script.hasPrefix("mv") ? .rename : .delete, .link, .write]
        #expect(
            await log.reach(within: .beforeTheHeartbeat) {
                $0.reduce(into: FileObserver.FileSystemEvent()) { $0.formUnion($1) }.isSuperset(of: wanted)
            }, "\(log.elements)")
    }

    /// The reported events, while there is a file: it went, and came back by an event that nobody had asked for. An
    /// exchange looks the same as a file that was renamed away and linked anew.
    static let told: [(masks: [InotifyMask], isLinked: Bool)] = [
        ([.delete], true), ([.movedFrom], true), ([.movedTo, .delete], true), ([.delete, .modify], true),
        ([.movedTo, .movedFrom], true), ([.delete, .movedTo], false), ([.closeWrite], false),
    ]

    @Test(arguments: told.indices)
    func whatIsThereAgainWasLinked(index: Int) async throws {
        let (masks, isLinked) = Self.told[index]
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "f")
        let log = Log<FileObserver.FileSystemEvent>()
        let core = FileObserverCore(path: folder.path("f"), mask: .all, queue: nil)
        core.setEventHandler { [weak core] in log.append(core?.data ?? []) }
        core.activate()
        defer { core.cancel(mayWait: true) }
        let target = PathTarget(identity: try Path.status(of: folder.path).identity, path: folder.path, leaf: "f")
        core.namesChanged(masks.map { InotifyEvent(watch: 1, mask: $0, name: "f") }, in: target, isLeft: false)
        let first = await log.first { _ in true }
        #expect(first?.contains(.link) == isLinked, "\(String(describing: first))")
    }
}
