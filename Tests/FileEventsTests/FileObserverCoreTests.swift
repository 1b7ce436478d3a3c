import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

/// What an observer makes of the reports of its watches.
struct FileObserverCoreTests {
    typealias Event = FileObserver.FileSystemEvent

    private static func core(of path: String, _ told: Log<Event>) -> FileObserverCore {
        let core = FileObserverCore(path: path, mask: .all, queue: nil)
        core.setEventHandler { [weak core] in if let core { told.append(core.data) } }
        core.activate()
        return core
    }

    /// Where events were lost, names may have come and gone in a directory. A missing directory has no names.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func namesThatMayHaveChangedAreAWriteOfADirectory(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir d")
        for name in ["missing", "d"] {
            let told = Log<Event>()
            let core = Self.core(of: folder.path(name), told)
            defer { core.cancel(mayWait: true) }
            core.entriesMayHaveChanged()
            if name == "d" {
                #expect(await told.first { _ in true } == .write)
            } else {
                await EventBarrier.passed()
                #expect(told.elements == [])
            }
        }
    }

    /// A directory's times change with its names. The look that comes every 30 seconds must not report again what was
    /// already reported of the names.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func aNameThatWasToldIsNotFoundAgainLater(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir d")
        let told = Log<Event>()
        let core = Self.core(of: folder.path("d"), told)
        defer { core.cancel(mayWait: true) }
        try await folder.shell("touch d/a")
        #expect(await told.first { _ in true } == .write)
        await EventBarrier.passed()
        #expect(!core.lookForChanges())
        try await folder.shell("touch d")
        #expect(await eventually { told.elements.contains { $0.contains(.attrib) } })
    }

    /// Where the kernel reports nothing, a file that is found shortly after a change is in doubt, and is reported once
    /// for that.
    @Test func aPolledFileThatDoesNotChangeIsNotToldAgainAndAgain() async throws {
        let told = Log<Event>()
        let core = Self.core(of: "/proc/sys/kernel/pid_max", told)
        defer { core.cancel(mayWait: true) }
        for _ in 0..<20 {
            _ = core.lookForChanges()
            // So that each report gets a call of its own.
            await EventBarrier.passed()
        }
        // The kernel may forget such a file and create it anew, with new times.
        #expect(told.elements.count < 5, "\(told.elements)")
    }

    /// A name that appears in a directory just before its names are watched belongs to the observer's initial state. It
    /// must not be reported half a minute later.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func aNameThatComesBeforeTheFirstWatchIsNotFoundLater(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir d")
        let told = Log<Event>()
        let path = folder.path("d")
        let names = Log<String>()
        let core = SystemCallTap.tapping { call, detail in
            if call == .inotify_add_watch, detail.contains(path), names.elements.isEmpty {
                names.append("a")
                do { try folder.write("1", to: "d/a") } catch { Issue.record(error) }
            }
            return .none
        } during: {
            Self.core(of: path, told)
        }
        defer { core.cancel(mayWait: true) }
        #expect(names.elements == ["a"])
        await EventBarrier.passed()
        #expect(!core.lookForChanges())
    }
}
