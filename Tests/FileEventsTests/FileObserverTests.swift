import Dispatch
import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

struct FileObserverTests {
    typealias Event = FileObserver.FileSystemEvent

    /// What is done to `f`, and an event that must be reported.
    static let changes: [(script: String, event: Event)] = [
        ("echo 2 > f", .write),
        ("echo 2 >> f", .extend),
        ("echo 2 > g; mv g f", .rename),
        ("echo 2 > g; mv g f", .write),
        ("rm f", .delete),
        ("mv f g", .rename),
        ("chmod 600 f", .attrib),
        ("rm f; echo 3 > f", .link),
        ("cd ..; mv d e; mkdir d", .delete),
        ("cd ..; rm -r d", .delete),
        ("cd ..; rm -r d; mkdir d; echo 4 > d/f", .write),
        ("cd ..; mkdir e; echo 4 > e/f; mv d g; mv e d", .revoke),
        ("sed -i s/1/2/ f", .write),
    ]

    @Test(arguments: changes.indices, TemporaryDirectory.Place.allCases)
    func tellsWhatHappened(index: Int, place: TemporaryDirectory.Place) async throws {
        let (script, event) = Self.changes[index]
        let folder = try TemporaryDirectory(on: place)
        try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: false)
        try folder.write("1", to: "d/f")
        let observer = FileObserver(path: folder.path("d/f"), queue: DispatchQueue(label: "test"))
        let log = Log<Event>()
        observer.setEventHandler { log.append(observer.data) }
        observer.activate()
        defer { observer.setEventHandler(handler: nil) }
        try await folder.shell("cd d; " + script)
        #expect(
            await log.reach(within: .beforeTheHeartbeat) { Event($0).contains(event) },
            "\(log.elements)")
        observer.cancel()
    }

    /// The look that `activate()` makes finds no file, and is noted only after the reader has found the file.
    @Test func anOlderLookDoesNotOverwriteANewerOne() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir d; echo 1 > g")
        let (path, other) = (folder.path("d/f"), folder.path("g"))
        let observer = FileObserver(path: path)
        let (log, looks, isTold) = (Log<Event>(), Log<Bool>(), DispatchSemaphore(value: 0))
        observer.setEventHandler { [weak observer] in
            log.append(observer?.data ?? [])
            isTold.signal()
        }
        await blocking {
            SystemCallTap.tapping { call, detail in
                guard call == .fstatat, detail == path else { return .none }
                looks.append(true)
                // The path walk makes the first two looks.
                guard looks.elements.count == 3 else { return .none }
                // The reader gets one event. After that nothing makes it look again.
                _ = unsafe rename(other, path)
                _ = isTold.wait(timeout: .now() + .seconds(20))
                return .fail(.noEntry)
            } during: {
                observer.activate()
            }
        }
        defer { observer.cancel() }
        // The older look was repeated.
        #expect(looks.elements.count == 4)
        #expect(log.elements.allSatisfy { !$0.contains(.delete) })
        try await folder.shell("mv d e")
        #expect(await log.first(within: .beforeTheHeartbeat) { $0.contains(.delete) } != nil, "\(log.elements)")
    }

    /// The look began earlier but was noted later, and nothing would make the observer look again.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func whatALookFindsThatBeganEarlierIsNotLost(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir d e; echo 1 > d/f; ln d/f e/g")
        let core = FileObserverCore(path: folder.path("d/f"), mask: [.attrib, .extend], queue: nil)
        let (log, isTold) = (Log<Event>(), DispatchSemaphore(value: 0))
        core.setEventHandler { [weak core] in
            log.append(core?.data ?? [])
            isTold.signal()
        }
        core.activate()
        defer { core.cancel(mayWait: true) }
        let hasChanged = await blocking {
            let looks = Log<Bool>()
            return SystemCallTap.tapping { call, _ in
                guard call == .fstatat, looks.elements.isEmpty else { return .none }
                looks.append(true)
                // The handler is called, and the reader has looked. Then comes a change that the kernel reports to no
                // watched directory.
                _ = unsafe chmod(folder.path("d/f"), 0o600)
                _ = isTold.wait(timeout: .now() + .seconds(20))
                _ = unsafe truncate(folder.path("e/g"), 100)
                return .none
            } during: {
                core.lookForChanges()
            }
        }
        #expect(hasChanged)
        #expect(await log.first(within: .beforeTheHeartbeat) { $0.contains(.extend) } != nil, "\(log.elements)")
    }

    @Test func goesOnAfterRenameDeletionAndReCreation() async throws {
        let folder = try TemporaryDirectory()
        let observer = FileObserver(path: folder.path("f"), eventMask: .write)
        let log = observer.logEvents()
        observer.activate()
        for script in ["echo 1 > f", "echo 2 > g; mv g f", "rm f; echo 3 > f", "ln -f f g; rm f; ln g f"] {
            let before = log.elements.count
            try await folder.shell(script)
            #expect(await log.reach(within: .beforeTheHeartbeat) { $0.count > before }, "\(script)")
        }
        #expect(log.elements.allSatisfy { $0 == .write })
    }

    /// The change was not reported, and the file may look the same.
    @Test func whatMayHaveChangedUnseenIsAWrite() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "f")
        let observer = FileObserver(path: folder.path("f"), eventMask: .write)
        let log = observer.logEvents()
        // The path is polled until the next look, and what happened before that look is unknown.
        SystemCallTap.failing(.inotify_add_watch, with: .noSpace) {
            observer.activate()
        }
        #expect(await log.first { _ in true } == .write)
        observer.cancel()
    }

    /// Other work on the queue runs between two calls of the handler.
    @Test func aBusyFileDoesNotKeepTheQueueForItself() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "f")
        let queue = DispatchQueue(label: "test")
        let log = Log<String>()
        let core = FileObserverCore(path: folder.path("f"), mask: .write, queue: queue)
        let change = [InotifyEvent(watch: 1, mask: .modify, name: "f")]
        let target = PathTarget(identity: try Path.status(of: folder.path).identity, path: folder.path, leaf: "f")
        core.setEventHandler { [weak core] in
            log.append("call")
            if log.elements.count == 1 { queue.async { log.append("other") } }
            if log.elements.count < 10 { core?.namesChanged(change, in: target, isLeft: false) }
        }
        core.activate()
        core.namesChanged(change, in: target, isLeft: false)
        #expect(
            await log.wait(within: .beforeTheHeartbeat) { $0.count >= 10 ? $0.prefix(3) : nil } == [
                "call", "other", "call",
            ])
        core.cancel(mayWait: true)
    }

    @Test func callsTheCancelHandlerOnceAndLast() async throws {
        let folder = try TemporaryDirectory()
        let log = Log<String>()
        do {
            let observer = FileObserver(path: folder.path("f"))
            observer.setEventHandler { log.append("event") }
            observer.setCancelHandler { log.append("cancel") }
            observer.activate()
            observer.activate()
            try folder.write("1", to: "f")
            #expect(await log.first { $0 == "event" } != nil)
            observer.cancel()
            observer.cancel()
            #expect(observer.isCancelled)
            #expect(await log.first { $0 == "cancel" } != nil)
            try folder.write("2", to: "f")
        }
        #expect(log.elements.filter { $0 == "cancel" }.count == 1)
        #expect(log.elements.last == "cancel")
    }

    @Test func G14_saysHowChangesAreDetected() async throws {
        let folder = try TemporaryDirectory()
        let observer = FileObserver(path: folder.path("d/f"))
        #expect(observer.health == nil)
        observer.activate()
        #expect(observer.health == .waitingForDirectory)
        try await folder.shell("mkdir d; ln -s f d/g; ln -s g d/f")
        #expect(await eventually { observer.health == .polling(reason: "too many symbolic links") })
        try await folder.shell("rm d/f; echo 1 > d/f")
        #expect(await eventually { observer.health == .live })
        observer.cancel()
        #expect(observer.health == nil)
    }

    @Test(.enabled(if: isMounted("/dev/shm"))) func G14_aDirectoryThatIsMountedIsNotPolled() {
        let observer = FileObserver(path: "/dev/shm")
        observer.activate()
        #expect(observer.health == .live)
        observer.cancel()
    }

    private static func isMounted(_ path: String) -> Bool {
        do throws(Errno) { return try Path.isMountPoint(path) } catch { return false }
    }

    /// They are watched by themselves.
    @Test func G14_saysThatADirectorysEntriesArePolled() throws {
        let folder = try TemporaryDirectory()
        let observer = FileObserver(path: folder.path)
        defer { observer.cancel() }
        SystemCallTap.tapping { call, detail in
            call == .inotify_add_watch && detail.hasPrefix(folder.path) ? .fail(.noSpace) : .none
        } during: {
            observer.activate()
        }
        #expect(observer.health?.isPolling == true, "\(String(describing: observer.health))")
    }

    @Test func eventsArePrintedByTheirNames() {
        #expect("\(FileObserver.FileSystemEvent([.write, .delete]))" == "[.delete, .write]")
        #expect("\(FileObserver.FileSystemEvent(rawValue: 258))" == "[.write, rawValue: 256]")
        #expect("\(FileObserver.FileSystemEvent())" == "[]")
        let all = FileObserver.FileSystemEvent.all.description
        #expect(all == "[.delete, .write, .extend, .attrib, .link, .rename, .revoke]")
    }

    @Test func itsMaskIsWhatWasAskedFor() {
        #expect(FileObserver(path: "f").mask == .all)
        #expect(FileObserver(path: "f", eventMask: [.write, .delete]).mask == [.write, .delete])
    }

    /// Another observer, active and later on the same queue, is notified meanwhile.
    @Test func isInactiveUntilActivated() async throws {
        let folder = try TemporaryDirectory()
        let log = Log<String>()
        let queue = DispatchQueue(label: "test")
        let observer = FileObserver(path: folder.path("f"), queue: queue)
        observer.setEventHandler { log.append("event") }
        observer.setCancelHandler { log.append("cancel") }
        let active = FileObserver(path: folder.path("f"), queue: queue)
        active.setEventHandler { log.append("active") }
        active.activate()
        try folder.write("1", to: "f")
        #expect(await log.first { $0 == "active" } != nil)
        observer.cancel()
        #expect(await log.first { $0 == "cancel" } != nil)
        #expect(!log.elements.contains("event"))
        active.cancel()
    }

    /// This holds even while the process has yet to notify its other observers of the event: the reader is in a handler
    /// meanwhile.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func whatHappenedBeforeTheActivationIsNotTold(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let (first, second) = (FileObserver(path: folder.path("a")), FileObserver(path: folder.path("b")))
        try folder.write("1", to: "d")
        // The file was never open under this name. A child process that another test is just starting could have
        // inherited an open descriptor, and would close it later.
        try FileManager.default.linkItem(atPath: folder.path("d"), toPath: folder.path("c"))
        let (log, isDone) = (second.logEvents(), Gate())
        first.setEventHandler {
            if isDone.isOpen { return }
            do {
                try FileManager.default.moveItem(atPath: folder.path("c"), toPath: folder.path("b"))
                second.activate()
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("b"))
            } catch {
                Issue.record(error)
            }
            isDone.open()
        }
        first.activate()
        defer {
            first.cancel()
            second.cancel()
        }
        try folder.write("1", to: "a")
        #expect(await log.first(within: .beforeTheHeartbeat) { $0.contains(.attrib) } == .attrib)
        #expect(log.elements == [.attrib])
    }

    @Test func droppingItCancels() async throws {
        let folder = try TemporaryDirectory()
        let log = Log<String>()
        do {
            let observer = FileObserver(path: folder.path("f"))
            observer.setCancelHandler { log.append("cancel") }
            observer.activate()
        }
        #expect(await log.first { $0 == "cancel" } != nil)
    }

    /// Swift takes the two names for equal, the file system does not.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func aNameThatOnlyLooksTheSameIsAnothersFile(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try folder.write("1", to: "\u{E9}")
        try folder.write("1", to: "e\u{301}")
        let observer = FileObserver(path: folder.path("\u{E9}"), eventMask: [.delete, .attrib])
        let log = observer.logEvents()
        observer.activate()
        try await folder.shell("rm 'e\u{301}'; chmod 600 '\u{E9}'")
        #expect(await log.first { $0.contains(.attrib) } == .attrib)
        // A look that has nothing to do with the event may report it, too.
        #expect(log.elements.allSatisfy { $0 == .attrib })
    }

    @Test func aRelativePathIsMeantFromTheDirectoryThatWasCurrentAtFirst() async throws {
        let folder = try TemporaryDirectory()
        let program = try Program(.product("probe"), ["relative", folder.path, "f"])
        try await program.line("active")
        try folder.write("1", to: "f")
        try await program.line("written")
    }

    /// Another observer on the same queue is notified meanwhile, of changes to the file that C would take the second
    /// path for.
    @Test(arguments: ["", "f\0b"])
    func whereNothingCanEverBeNothingIsTold(name: String) async throws {
        let folder = try TemporaryDirectory()
        let log = Log<String>()
        let queue = DispatchQueue(label: "test")
        let observer = FileObserver(path: name.isEmpty ? "" : folder.path(name), queue: queue)
        observer.setEventHandler { log.append("event") }
        observer.setCancelHandler { log.append("cancel") }
        observer.activate()
        let other = FileObserver(path: folder.path("f"), queue: queue)
        other.setEventHandler { log.append("other") }
        other.activate()
        try folder.write("1", to: "f")
        #expect(await log.first { $0 == "other" } != nil)
        observer.cancel()
        #expect(await log.first { $0 == "cancel" } != nil)
        #expect(!log.elements.contains("event"))
        other.cancel()
    }
}
