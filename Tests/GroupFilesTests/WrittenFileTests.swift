import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// What this process wrote need not be read again, where a look proves that nobody has changed it since.
@Suite(.serialized) struct WrittenFileTests {
    typealias Place = TemporaryDirectory.Place

    /// A value with a file. If its `times` are precise, the next write leaves a status that the library can rely on.
    private struct Fixture {
        let folder: TemporaryDirectory
        let file: GroupFile<Int>
        let directory: DirectoryCore
        var times: FileTimes { directory.times }
        var path: String { folder.path("c/v") }

        init(_ place: Place, usesNotifications: Bool = true) throws {
            folder = try TemporaryDirectory(on: place)
            let container = try GroupContainer(
                directory: folder.path("c"), access: .readWrite, sharing: .owner, usesNotifications: usesNotifications)
            file = try GroupFile("v", in: container, initialValue: 100, durability: .relaxed)
            directory = DirectoryCore.shared(
                try Path.status(of: folder.path("c")).identity, path: folder.path("c"), watcher: nil)
            // A tick may come in between, and does so often on a busy machine.
            for value in 101..<1_000 where value < 121 || directory.times.begin() != nil { try file.write(value) }
        }

        /// Overwrites the file in place, leaving its length as it was.
        func overwrite(_ text: String) throws {
            let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
            defer { close(descriptor) }
            try #require(unsafe pwrite(descriptor, text, text.utf8.count, 0) == text.utf8.count)
        }

        /// Likewise, through a mapping that reads before it stores.
        func store(_ text: String) throws {
            let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
            defer { close(descriptor) }
            let size = text.utf8.count
            let mapping = unsafe try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0))
            unsafe try #require(mapping != MAP_FAILED)
            defer { unsafe munmap(mapping, size) }
            unsafe #expect(mapping.load(as: UInt8.self) != 0)
            unsafe mapping.copyMemory(from: text, byteCount: size)
        }

        /// Sets the modification time, as if nobody had written since.
        func setModified(_ time: Int64) {
            let second: Int64 = 1_000_000_000
            let time = timespec(tv_sec: Int(time / second), tv_nsec: Int(time % second))
            unsafe utimensat(AT_FDCWD, path, [time, time], 0)
        }

        func kept() throws -> [String] {
            let names = try folder.names(in: "c/.groupfile")
            return try names.filter { $0.contains("rejected") }.map { try folder.read("c/.groupfile/" + $0) }
        }

        /// The calls of this thread, except `close`: other threads may have left descriptors for it to close.
        func calls<R>(_ body: () throws(GroupFileError) -> R) throws -> [SystemCall] {
            try SystemCallTap.calls { () throws(GroupFileError) in _ = try body() }.map(\.call).filter { $0 != .close }
        }

        /// The calls of the run, of several, that made the fewest: a run that found the lock open, although other tests
        /// may cause it to be closed again and again.
        func fewestCalls<R>(
            after prepare: () throws(GroupFileError) -> Void = {}, _ body: () throws(GroupFileError) -> R
        ) throws -> [SystemCall] {
            try prepare()
            var fewest = try calls(body)
            for round in 1..<200 where round < 5 || fewest.contains(.open) {
                try prepare()
                let calls = try calls(body)
                if calls.count < fewest.count { fewest = calls }
            }
            return fewest
        }
    }

    /// Whether the kernel gives each change its own time there: determined in another way than the library does.
    private static func arePrecise(_ place: Place) throws -> Bool {
        let folder = try TemporaryDirectory(on: place)
        try folder.write("0", to: "f")
        // On a busy machine a tick, of which there are no more than 1,000 a second, may come before each change.
        let end = FileClock.now + 30_000_000_000
        while FileClock.now < end {
            var times: Set<Int64> = []
            let start = FileClock.now
            for _ in 0..<100 {
                let descriptor = unsafe open(folder.path("f"), O_WRONLY | O_CLOEXEC)
                unsafe pwrite(descriptor, "1", 1, 0)
                close(descriptor)
                times.insert(try Path.status(of: folder.path("f")).modified)
            }
            let ticks = 2 + Int((FileClock.now - start) / 1_000_000)
            if ticks < 50 { return times.count > ticks }
        }
        throw TooBusy()
    }

    private struct TooBusy: Error {}

    @Test(arguments: Place.allCases)
    func whetherTimesArePreciseIsFoundOut(place: Place) throws {
        let fixture = try Fixture(place)
        #expect(fixture.times.arePrecise == (try Self.arePrecise(place)))
    }

    /// The next update reads what a foreign writer writes right after ours, even with the same length, and even if no
    /// event reports it before.
    @Test(arguments: Place.allCases, [true, false])
    func G5_aForeignWriteRightAfterOursIsNotLost(place: Place, usesNotifications: Bool) throws {
        let fixture = try Fixture(place, usesNotifications: usesNotifications)
        // Without events, the library waits to see whether a value that has just changed is only half.
        for value in 100..<(usesNotifications ? 400 : 120) {
            try fixture.file.write(value)
            try fixture.overwrite("\(value + 500)\n")
            var found = 0
            try fixture.file.update { value in
                found = value
                value = 0
            }
            try #require(found == value + 500)
        }
    }

    private static func written(_ status: FileStatus) -> WrittenFile {
        let file = PreparedFile(
            .bytes(Array("120\n".utf8)), status, permissions: status.permissions, replacedGroup: 0)
        return WrittenFile(file, published: .max)
    }

    /// A change of the permissions is noticed, too: it may have taken the right to read the file from this process.
    @Test(arguments: Place.allCases)
    func G10_whatHasOtherPermissionsIsRead(place: Place) throws {
        let fixture = try Fixture(place)
        let written = Self.written(try Path.status(of: fixture.path))
        #expect(unsafe chmod(fixture.path, 0) == 0)
        #expect(!written.isUnchanged(try Path.status(of: fixture.path)))
    }

    /// As long as nobody has asked for the file's times since its publication, a foreign write over it may get a change
    /// time that is no later than the publication.
    @Test(arguments: Place.allCases)
    func G5_theModificationTimeTellsWhatTheChangeTimeDoesNot(place: Place) async throws {
        let fixture = try Fixture(place)
        let status = try Path.status(of: fixture.path)
        let written = Self.written(status)
        #expect(written.isUnchanged(try Path.status(of: fixture.path)))
        // Where times are coarse, the write may show only at the next tick.
        let start = FileClock.now
        #expect(await eventually { FileClock.lastTick > start })
        try fixture.overwrite("121\n")
        #expect(!written.isUnchanged(try Path.status(of: fixture.path)))
    }

    /// Bad content that slips in after the last look at the file is kept, however soon it comes.
    @Test(arguments: Place.allCases, [false, true])
    func G12_whatIsWrittenOverOursJustBeforeItIsDisplacedIsKept(place: Place, updates: Bool) throws {
        let fixture = try Fixture(place)
        for value in 200..<209 {
            try fixture.file.write(value)
            try SystemCallTap.tapping { call, detail in
                if call == .renameat2, detail.hasSuffix("exchange") {
                    do { try fixture.overwrite("x\(value)") } catch { Issue.record(error) }
                }
                return .none
            } during: { () throws(GroupFileError) in
                if updates { try fixture.file.update { $0 = 7 } } else { try fixture.file.write(7) }
            }
        }
        #expect(try fixture.kept().sorted() == (200..<209).map { "x\($0)" })
    }

    /// A writer can set the modification time back: then the change time reveals the write, from the next tick on.
    @Test(arguments: Place.allCases, [true, false])
    func aModificationTimeThatWasSetBackDeceivesNobody(place: Place, usesNotifications: Bool) async throws {
        let fixture = try Fixture(place, usesNotifications: usesNotifications)
        try await fixture.file.write(300)
        let (written, published) = (try Path.status(of: fixture.path), FileClock.now)
        #expect(await eventually { FileClock.lastTick > published })
        try fixture.overwrite("301\n")
        fixture.setModified(written.modified)
        #expect(try Path.status(of: fixture.path).isSameVersion(as: written))
        try await fixture.file.update { value in
            #expect(value == 301)
            value += 1
        }
        #expect(fixture.file.value == 302)
    }

    /// A store through a mapping need not change any time, but its end is reported.
    @Test(arguments: Place.allCases)
    func whatWasStoredThroughAMappingIsReadOnceThatIsGone(place: Place) async throws {
        let fixture = try Fixture(place)
        let told = Guarded<[Int]>([])
        let subscription = fixture.file.sink { value in told.withLock { $0.append(value) } }
        defer { subscription.cancel() }
        // No two of the values are the same: a value that was reported before would prove nothing.
        for value in stride(from: 200, to: 210, by: 2) {
            try await fixture.file.write(value)
            try fixture.store("\(value + 500)\n")
            try #require(await eventually { told.withLock { $0.last } == value + 500 })
            try await fixture.file.update { $0 += 1 }
            #expect(fixture.file.value == value + 501)
        }
    }

    /// As few calls as the kernel's times allow: they include a look at the file that is there, and at the one that was
    /// displaced.
    @Test(arguments: Place.allCases)
    func whatThisProcessWroteIsNotReadAgain(place: Place) throws {
        let fixture = try Fixture(place)
        try #require(fixture.times.arePrecise == (try Self.arePrecise(place)))
        if !fixture.times.arePrecise { return }
        // On a slow machine the lock may have been closed meanwhile, and is looked at again.
        var number = 0
        let write = try fixture.fewestCalls { () throws(GroupFileError) in
            number += 1
            try fixture.file.write(number)
        }
        #expect(!write.contains(.pread) && write.count + 1 <= 11, "\(write)")
        let update = try fixture.fewestCalls { () throws(GroupFileError) in try fixture.file.update { $0 += 1 } }
        #expect(!update.contains(.pread) && update.count + 1 <= 13, "\(update)")
        // Something may have been mounted somewhere meanwhile, after which everything is read again.
        let echo = try fixture.fewestCalls(after: { () throws(GroupFileError) in try fixture.file.update { $0 += 1 } })
        {
            () throws(GroupFileError) in try fixture.file.read()
        }
        #expect(!echo.contains(.pread), "\(echo)")
    }

    /// The file is read whoever wrote it: our own writes cause neither event under the value's name.
    @Test(arguments: [InotifyMask.modify, .closeWrite])
    func whatEventsTellOfIsRead(mask: InotifyMask) throws {
        let fixture = try Fixture(.memory)
        let core = fixture.directory.core("v")
        let stored = try #require(core.file as? DirectoryFile)
        try fixture.file.write(1)
        #expect((stored.written != nil) == fixture.times.arePrecise)
        _ = core.receive(mask, 0)
        core.judgeEvents()
        #expect(stored.written == nil)
    }

    /// The event that tells of a store through a mapping may be one of those that were lost.
    @Test(arguments: Place.allCases)
    func whatMayHaveChangedIsRead(place: Place) throws {
        let fixture = try Fixture(place)
        try fixture.file.write(1)
        let core = fixture.directory.core("v")
        #expect(try fixture.calls { () throws(GroupFileError) in core.refresh() }.contains(.pread))
    }

    /// Where times are coarse, a file that looks the same may hold something else.
    @Test(arguments: Place.allCases)
    func whereTimesAreCoarseEverythingIsRead(place: Place) throws {
        let fixture = try Fixture(place)
        let status = try Path.status(of: fixture.path)
        let control = try Directory(path: fixture.folder.path("c/.groupfile"))
        repeat {
            fixture.times.judge(status, status, after: FileClock.lastTick, in: control)
        } while fixture.times.arePrecise
        try fixture.file.write(1)
        let update = try fixture.fewestCalls { () throws(GroupFileError) in try fixture.file.update { $0 += 1 } }
        #expect(update.filter { $0 == .pread }.count == 2, "\(update)")
    }

    /// The content kept in memory may be as large as a value can be.
    @Test(arguments: Place.allCases)
    func whatIsNoLongerThereTakesNoRoom(place: Place) throws {
        let fixture = try Fixture(place)
        let stored = try #require(fixture.directory.core("v").file as? DirectoryFile)
        try fixture.file.write(1)
        #expect((stored.written != nil) == fixture.times.arePrecise)
        try fixture.folder.write("2", to: "c/new")
        #expect(unsafe rename(fixture.folder.path("c/new"), fixture.path) == 0)
        #expect(try fixture.file.read() == 2)
        #expect(stored.written == nil)
    }
}

struct FileTimesTests {
    /// The status of a file that was changed long ago.
    private static let old = Result { try Path.status(of: "/usr") }

    /// Looks at a file that has just been made, and at what was `written`, until no tick comes in between.
    private func judge(in directory: Directory, _ written: (FileStatus) throws -> FileStatus) throws -> FileTimes {
        let folder = try TemporaryDirectory(on: .memory)
        while true {
            let times = FileTimes()
            let tick = try #require(times.begin())
            try folder.write("1", to: "f")
            let created = try Path.status(of: folder.path("f"))
            times.judge(created, try written(created), after: tick, in: directory)
            if times.begin() == nil { return times }
        }
    }

    @Test func timesThatDifferWithinATickArePrecise() throws {
        let folder = try TemporaryDirectory(on: .memory)
        let directory = try Directory(path: folder.path)
        #expect(try judge(in: directory) { _ in try Self.old.get() }.arePrecise)
        #expect(try !judge(in: directory) { $0 }.arePrecise)
    }

    /// On other file systems a difference may be chance, as where another machine, or a precise time elsewhere, has
    /// moved the clock.
    @Test func thoseOfOtherFileSystemsAreNot() throws {
        #expect(try !judge(in: Directory(path: "/proc")) { _ in try Self.old.get() }.arePrecise)
    }

    /// Times in whole seconds may differ because a second has just ended.
    @Test func timesInWholeSecondsAreNot() throws {
        let folder = try TemporaryDirectory(on: .memory)
        let directory = try Directory(path: folder.path)
        try folder.write("1", to: "f")
        let written = try Path.status(of: folder.path("f"))
        let times = FileTimes()
        while let tick = times.begin() { times.judge(try Self.old.get(), written, after: tick, in: directory) }
        #expect(!times.arePrecise)
    }

    /// Where a tick came in between, the library judges the next file, however often that happens: a busy machine does
    /// not stay busy for ever.
    @Test func whatATickCameBetweenSaysNothing() throws {
        let folder = try TemporaryDirectory(on: .memory)
        let directory = try Directory(path: folder.path)
        let times = FileTimes()
        let (one, other) = (try Path.status(of: folder.path), try Self.old.get())
        for _ in 0..<100 {
            times.judge(one, other, after: 0, in: directory)
            #expect(!times.arePrecise && times.begin() != nil)
        }
        while let tick = times.begin() {
            // The file is made after that tick, however long ago the first tick was.
            try folder.write("1", to: "f")
            times.judge(try Path.status(of: folder.path("f")), other, after: tick, in: directory)
        }
        #expect(times.arePrecise)
    }
}
