import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// G2: since when a writer may be at work that no event has reported yet. A file that is being truncated appears empty
/// before its times change, and before the event comes.
struct SettlingTests {
    private let file = PreparedFile()
    private let listener = Listener()

    private func core() -> FileCore {
        let core = FileCore(file: file)
        core.add(listener)
        return core
    }

    /// Only the listener that removes is offered the removal, settled: until then a writer may have been at work.
    @Test func aRemovalOfWhatIsMissingIsNoNewsToOthers() throws {
        file.set(.missing)
        let core = core()
        let told = listener.told.elements.count
        let remover = Listener()
        for _ in 0..<2 { _ = try core.publish(.missing, by: remover) { true } }
        #expect(listener.told.elements.count == told)
        #expect(remover.told.elements.map(\.isSettled) == [true, true])
    }

    @Test(arguments: ["", "x"])
    func G2_whatIsFoundEmptyCountsFromThenOn(text: String) async {
        let core = core()
        file.set(text)
        core.refresh()
        let found = listener.told.elements.last
        #expect(found?.content == .bytes(Array(text.utf8)))
        #expect(found?.isSettled == !text.isEmpty)
        core.offerOnceSettled(found?.number ?? 0)
        #expect(await listener.told.first { $0.content == found?.content && $0.isSettled } != nil)
    }

    /// Content that does not decode is looked at once more when the settle time is over. Other content that is found
    /// then comes from another writer, whose event is still to come.
    @Test func G2_whatIsFoundInPlaceOfBadContentIsWaitedFor() async throws {
        let core = core()
        file.set("bad")
        core.namesChanged([.modify, .closeWrite])
        core.offerOnceSettled(try #require(listener.told.elements.last).number)
        file.set("ba")
        #expect(await listener.told.first { $0.content == .bytes(Array("ba".utf8)) }?.isSettled == false)
        #expect(listener.told.elements.allSatisfy { $0.content != .bytes(Array("bad".utf8)) || !$0.isSettled })
    }

    /// A file that could not be read may be readable now, but the library reads it only when its writer is done:
    /// permissions, times and links may change in the middle of a write, too.
    @Test(arguments: [Content.Obstacle.failed(.accessDenied), .tooLarge(101)])
    func G2_whatBecomesReadableWhileItIsWrittenIsWaitedFor(obstacle: Content.Obstacle) async {
        let core = core()
        file.set(.unreadable(obstacle))
        core.refresh()
        file.set("ha")
        core.namesChanged([.modify])
        core.namesChanged([.attributes])
        file.set("half")
        core.namesChanged([.modify, .attributes])
        file.set("whole")
        core.namesChanged([.modify, .closeWrite])
        #expect(listener.told.elements.last?.content == .bytes(Array("whole".utf8)))
        #expect(!listener.told.elements.contains { $0.content == .bytes(Array("ha".utf8)) })
        #expect(!listener.told.elements.contains { $0.content == .bytes(Array("half".utf8)) })
        // Where no writer is at work, the file is read at once.
        file.set(.unreadable(obstacle))
        core.refresh()
        file.set("2")
        core.namesChanged([.attributes])
        #expect(listener.told.elements.last?.content == .bytes(Array("2".utf8)))
        withExtendedLifetime(core) {}
    }

    /// The regular look, every 30 seconds, may come in the middle of a write.
    @Test func G2_aLookInTheMiddleOfAWriteWaitsForTheWriter() {
        let core = core()
        file.set("half")
        core.namesChanged([.modify])
        #expect(!core.lookForChanges())
        file.set("whole")
        core.namesChanged([.modify, .closeWrite])
        #expect(listener.told.elements.last?.content == .bytes(Array("whole".utf8)))
        #expect(!listener.told.elements.contains { $0.content == .bytes(Array("half".utf8)) })
        // Where no writer is at work, and no event came, the look finds the content that is there.
        file.set("2")
        #expect(core.lookForChanges())
        #expect(listener.told.elements.last?.content == .bytes(Array("2".utf8)))
    }

    /// The look may even come before the first event of the write, as one does wherever something is mounted.
    @Test func G2_aLookThatFindsWhatHasJustChangedWaitsForTheWriter() async throws {
        let folder = try TemporaryDirectory()
        let core = core()
        file.set("half", changing: folder.path("f"), then: "whole")
        #expect(core.lookForChanges())
        #expect(await listener.told.first { $0.content == .bytes(Array("whole".utf8)) } != nil)
        #expect(!listener.told.elements.contains { $0.content == .bytes(Array("half".utf8)) })
    }

    /// Nor does the file's status from before the read decide.
    @Test func G2_aLookThatAWriterOvertakesWaitsForTheWriter() async throws {
        let folder = try TemporaryDirectory()
        let core = core()
        file.set("half", then: "whole", overtaken: folder.path("f"))
        #expect(core.lookForChanges())
        try #require(!listener.told.elements.contains { $0.content == .bytes(Array("half".utf8)) })
        #expect(await listener.told.first { $0.content == .bytes(Array("whole".utf8)) } != nil)
    }

    /// Where the reader is held up, the file's age proves nothing: it is the age at the time when the read began.
    @Test func G2_whatChangesWhileASlowReaderIsAtItIsWaitedFor() async throws {
        let folder = try TemporaryDirectory()
        let core = core()
        file.set("bad", changing: folder.path("f"))
        core.namesChanged([.modify])
        #expect(await listener.told.first { $0.content == .bytes(Array("bad".utf8)) } != nil)
        // More than the read for the new listener, and the one that was discarded.
        #expect(file.reads > 2)
    }

    /// The listener that was offered the missing file was held up, and asks only when the settle time is over; the file
    /// was missing only for a moment.
    @Test func G2_whatWasMissingForAMomentIsNotToldByWhoIsHeldUp() async throws {
        let core = core()
        file.set(.missing)
        core.refresh()
        let found = try #require(listener.told.elements.last)
        #expect(found.content == .missing)
        await blocking { Thread.sleep(for: SettleTime.duration) }
        file.set("2")
        core.offerOnceQuiet(found.number)
        let next = await listener.told.first { $0.number > found.number || $0.number == found.number && $0.isSettled }
        #expect(next?.content == .bytes(Array("2".utf8)))
    }

    /// However long a read takes, what it has found is as old as it was when the read began.
    @Test func G2_theTimeThatAReadTakesSettlesNothing() throws {
        let folder = try TemporaryDirectory()
        let core = core()
        file.set("half", changing: folder.path("f"))
        let found = core.read(limit: 100)
        #expect(found.content == .bytes(Array("half".utf8)))
        #expect(!found.isSettled)
    }

    /// Nor does it count for how long the file has been empty.
    @Test(arguments: [nil, InotifyMask.closeWrite])
    func G2_whatASlowReadFindsEmptyCountsFromItsEnd(event: InotifyMask?) async throws {
        let folder = try TemporaryDirectory()
        try folder.write("", to: "v")
        file.look(like: folder.path("v"))
        try #require(await eventually { try !Path.status(of: folder.path("v")).fingerprint.isRecent })
        let isProved = await eventually {
            let core = core()
            file.set("")
            file.whenRead { Thread.sleep(for: SettleTime.duration * 1.2) }
            if let event { core.namesChanged([event]) } else { core.refresh() }
            let end = Moment.now
            file.whenRead(nil)
            let found = core.read(limit: 100)
            // On a busy machine the settle time may be over.
            if Moment.now - end > SettleTime.duration / 2 { return false }
            #expect(found.content == .bytes([]))
            #expect(!found.isSettled)
            return true
        }
        if !isProved { BusyMachine.provesNothing("every attempt") }
    }

    /// What is found empty, and looks different from when it was last found empty, may have had content in between.
    @Test func G2_whatIsFoundEmptyAgainCountsFromThenOn() async throws {
        let core = core()
        file.set("")
        #expect(!core.read(limit: 100).isSettled)
        try #require(await eventually { core.read(limit: 100).isSettled })
        file.look(like: "/etc/group")
        #expect(!core.read(limit: 100).isSettled)
        #expect(await eventually { core.read(limit: 100).isSettled })
        // Nobody has touched what we have written.
        file.look(like: "/etc/passwd")
        _ = try core.publish(.bytes([]), by: nil) { true }
        #expect(core.read(limit: 100).isSettled)
    }

    /// Where a look that no event has caused finds it so, it is told once it was found so twice.
    @Test func G2_whatALookFindsEmptyIsLookedAtAgain() async {
        let core = core()
        file.set("")
        let before = file.reads
        #expect(core.lookForChanges())
        #expect(await listener.told.first { $0.content.isEmpty } != nil)
        #expect(file.reads >= before + 2)
    }

    /// The same where the writer had closed the empty file: once the settle time is over, the next one may be
    /// truncating it.
    @Test func G2_whatIsTruncatedWhenTheSettleTimeIsOverIsNotTold() async throws {
        let folder = try TemporaryDirectory()
        for name in ["first", "second"] { try folder.write("", to: name) }
        try #require(await eventually { try !Path.status(of: folder.path("second")).fingerprint.isRecent })
        file.look(like: folder.path("first"))
        let core = core()
        file.set("")
        let reads = Log<Moment>()
        file.whenRead { [file] in
            reads.append(.now)
            if reads.elements.count == 2 { file.look(like: folder.path("second")) }
        }
        core.namesChanged([.closeWrite])
        #expect(await listener.told.first { $0.content.isEmpty } != nil)
        let told = Moment.now
        file.whenRead(nil)
        try #require(reads.elements.count >= 2)
        #expect(told - reads.elements[1] >= SettleTime.duration)
    }

    /// When the settle time is over, the events that have come meanwhile are judged first. If that takes long, more may
    /// happen in that time.
    @Test func G2_whatHappensWhileTheAlarmIsHeldUpIsWaitedFor() async throws {
        let core = core()
        file.set("bad")
        core.namesChanged([.modify, .closeWrite])
        file.set("bad", then: "half")
        let reads = Log<Moment>()
        file.whenRead { [weak core] in
            reads.append(.now)
            if reads.elements.count > 1 { return }
            Thread.sleep(for: SettleTime.duration * 1.2)
            _ = core?.receive(.modify, 0)
        }
        _ = core.receive(.closeWrite, 0)
        core.offerOnceQuiet(try #require(listener.told.elements.last).number)
        #expect(await listener.told.first { $0.content == .bytes(Array("half".utf8)) }?.isSettled == true)
        file.whenRead(nil)
    }

    /// An empty file whose status changed after its content, as if it had been renamed into place, counts at once, but not
    /// if it looks different a moment later: somebody is just truncating it.
    @Test(arguments: [false, true]) func G2_anEmptyFileIsLookedAtTwice(isTruncated: Bool) async throws {
        let folder = try TemporaryDirectory()
        try folder.write("", to: "renamed")
        let path = folder.path("renamed")
        try #require(
            await eventually {
                try FileDescriptor.open(path, .readOnly).setPermissions(0o640)
                return try !Path.status(of: path).fingerprint.wasWrittenLast
            })
        file.look(like: path)
        let isProved = await eventually {
            let core = core()
            file.set("", overtaken: isTruncated ? folder.path("truncated") : nil)
            let (begun, before) = (Moment.now, listener.told.elements.count)
            core.namesChanged([.closeWrite])
            let isTold = listener.told.elements.dropFirst(before).contains { $0.content.isEmpty }
            // On a busy machine the settle time may be over.
            if isTruncated, Moment.now - begun > SettleTime.duration / 2 { return false }
            #expect(isTold == !isTruncated)
            return true
        }
        if !isProved { BusyMachine.provesNothing("every attempt") }
    }

    /// Each time that the file is read, it is about to be replaced once more. As nobody writes it in place, all that is
    /// found is whole, although its times may say otherwise where they are coarse.
    @Test func whatIsReplacedAgainAndAgainIsTold() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("new", to: "v")
        file.look(like: folder.path("v"))
        let core = core()
        let replaced = Guarded(1)
        file.whenRead {
            let count = replaced.withLock { count in
                count += 1
                return count
            }
            if count < 10 { for mask in [InotifyMask.movedTo, .closeWrite] { _ = core.receive(mask, 0) } }
            file.set("\(count)")
        }
        core.namesChanged([.movedTo])
        #expect(await listener.told.first { $0.content == .bytes(Array("10".utf8)) } != nil)
        file.whenRead(nil)
        let told = listener.told.elements.map(\.content)
        #expect(told.dropFirst() == (2...10).map { .bytes(Array("\($0)".utf8)) }[...])
    }

    /// Nor is an update made from half of what a writer is writing, which would then be lost.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G2_anUpdateWaitsForAWriterAtWork(place: TemporaryDirectory.Place) async throws {
        var isSteady = false
        for _ in 1...100 where !isSteady {
            let folder = try TemporaryDirectory(on: place)
            let file = try GroupFile("v", in: try GroupContainer(directory: folder.path), initialValue: 0)
            try await file.update { $0 = 1 }
            let lock = FileLock(try Directory(path: folder.path(".groupfile")).open("v.lock", .readWrite))
            let values = Log<Int>()
            let subscription = file.sink { values.append($0) }
            #expect(await values.first { $0 == 1 } != nil)
            let writer = try FileDescriptor.open(folder.path("v"), .writeOnly)
            // Each pause is measured from before one change until after the next: no real pause is longer.
            let pauses = Guarded((last: Moment.now, longest: Duration.zero))
            try writer.writeAll(Array("5".utf8))
            // Events as if the writer wrote on and on.
            let isOver = Guarded(false)
            // On a thread: tasks are held up for longer while other tests run.
            let (begun, ended) = (Gate(), Gate())
            try Thread.spawn(named: "writer") {
                while !isOver.withLock({ $0 }) {
                    let now = Moment.now
                    file.attachedCore.namesChanged([.modify])
                    pauses.withLock { $0 = (now, max($0.longest, .now - $0.last)) }
                    begun.open()
                    Thread.sleep(for: .milliseconds(1))
                }
                ended.open()
            }
            defer { isOver.withLock { $0 = true } }
            #expect(await begun.opened())
            let updateBegan = Moment.now
            async let updated: Void = file.update { $0 += 1 }
            // On a busy machine the update may begin later.
            _ = try await eventually(within: .milliseconds(300)) { try lock.isTaken() }
            await blocking { Thread.sleep(for: .milliseconds(20)) }
            try writer.writeAll(Array("0\n".utf8))
            isOver.withLock { $0 = true }
            #expect(await ended.opened())
            // On a machine so busy that the writer paused for 50 ms, or the update has given up, this proves nothing.
            isSteady = .now < updateBegan + .milliseconds(900) && pauses.withLock(\.longest) < .milliseconds(40)
            _ = consume writer
            try await updated
            if !isSteady { continue }
            #expect(file.value == 51)
            #expect(Set(values.elements).isSubset(of: [1, 50, 51]))
            subscription.cancel()
        }
        if !isSteady { BusyMachine.provesNothing("100 rounds") }
    }

    /// A read waits for a writer whose content does not decode, but not for ever.
    @Test func aReadEndsThoughTheWriterNeverPauses() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("bad", to: "v")
        let file = try GroupFile("v", in: try GroupContainer(directory: folder.path), initialValue: 0)
        let isOver = Guarded(false)
        async let writer = eventually {
            file.attachedCore.namesChanged([.modify])
            return isOver.withLock { $0 }
        }
        await #expect(throws: GroupFileError.self) { try await file.read() }
        isOver.withLock { $0 = true }
        #expect(await writer)
    }

    /// G4: a file that is linked into the directory is read at once, and not again after that: what is then written
    /// under its other name, which no event of this directory reports, is found by the next look.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_aLookFindsWhatIsWrittenUnderTheOtherNameOfALinkedFile(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let root = try Directory(path: folder.path)
        try root.makeDirectory("c", permissions: 0o700)
        try folder.write("1", to: "other")
        let container = try GroupContainer(directory: folder.path("c"), access: .readOnly)
        let file = try GroupFile("v", in: container, initialValue: 0)
        try #require(await eventually { file.status == .missing })
        // Waits until no look is due any more, as where the file has been missing for a while.
        await blocking { Thread.sleep(for: SettleTime.duration * 3) }
        try root.link("other", to: "c/v")
        try #require(await eventually { file.value == 1 })
        await blocking { Thread.sleep(for: SettleTime.duration * 3) }
        try FileDescriptor.open(folder.path("other"), .writeOnly).writeAll(Array("2".utf8))
        _ = file.attachedCore.lookForChanges()
        // Found by this look, or by an earlier one, because a file system was mounted.
        #expect(await eventually(within: .seconds(2)) { file.value == 2 })
    }

    /// An event reported the change, and nothing was read since: the content that is found is the reported one, and
    /// counts at once.
    @Test(arguments: ["bad", ""]) func whatWasToldIsNotWaitedForAgain(text: String) async {
        let core = core()
        file.set(text)
        let before = file.reads
        core.namesChanged([.modify])
        #expect(await listener.told.first { $0.content == .bytes(Array(text.utf8)) }?.isSettled == true)
        #expect(file.reads == before + 1)
        withExtendedLifetime(core) {}
    }

    /// An event reports the removal, and a file without an age, such as a link, is as old as its name: the library
    /// waits for 50 ms only once.
    @Test(arguments: [
        (Content.missing, InotifyMask.delete), (.missing, .movedFrom),
        (.unreadable(.notRegular(.symbolicLink)), .create),
    ])
    func whatWasToldOfTheNameIsNotWaitedForAgain(content: Content, event: InotifyMask) async {
        let core = core()
        file.set(content)
        core.namesChanged([event])
        #expect(await listener.told.first { $0.content == content }?.isSettled == true)
        withExtendedLifetime(core) {}
    }

    /// No event reported that the file is gone, or is a link now: it is not known since when, and the file may be about
    /// to be made again.
    @Test(arguments: [Content.missing, .unreadable(.notRegular(.symbolicLink))], [nil, InotifyMask.modify])
    func whatNobodyToldOfTheNameIsWaitedFor(content: Content, event: InotifyMask?) async throws {
        let core = core()
        file.set(content)
        if let event { core.namesChanged([event]) } else { core.refresh() }
        let found = try #require(await listener.told.first { $0.content == content })
        #expect(!found.isSettled)
        core.offerOnceSettled(found.number)
        #expect(await listener.told.first { $0.content == content && $0.isSettled } != nil)
    }
}

/// A file that looks as old as a file of the system, whatever its content.
private final class PreparedFile: StoredFile {
    private let state = Guarded(
        (content: Content.bytes(Array("1".utf8)), changing: String?.none, next: String?.none, reads: 0))
    private let overtaken = Guarded<String?>(nil)
    private let model = Guarded("/etc/passwd")
    private let hook = Guarded<(@Sendable () -> Void)?>(nil)

    var path: String { "prepared" }
    var reads: Int { state.withLock(\.reads) }

    /// With `changing`, a read finds the file as old as the file at that path, which changes during the read, and takes
    /// longer than the settle time. `then` is what the next read finds. A look apart from a read finds the file as old
    /// as the file at `overtaken`, which has just changed.
    func set(_ text: String, changing: String? = nil, then next: String? = nil, overtaken: String? = nil) {
        state.withLock { ($0.content, $0.changing, $0.next) = (.bytes(Array(text.utf8)), changing, next) }
        self.overtaken.withLock { $0 = overtaken }
    }

    /// From now on it looks like the file at this path.
    func look(like path: String) {
        model.withLock { $0 = path }
    }

    /// Calls `body` before each read, while events wait.
    func whenRead(_ body: (@Sendable () -> Void)?) {
        hook.withLock { $0 = body }
    }

    var hasWaitingEvents: Bool { hook.withLock { $0 != nil } }

    /// Content of no regular file, without an age.
    func set(_ content: Content) {
        state.withLock { $0.content = content }
    }

    func read(limit: Int) -> (content: Content, fingerprint: Fingerprint?) {
        hook.withLock { $0 }?()
        let (content, changing, _, reads) = state.withLock { state in
            state.reads += 1
            defer { if let next = state.next.take() { state.content = .bytes(Array(next.utf8)) } }
            return state
        }
        guard case .bytes(let bytes) = content else { return (content, nil) }
        guard let changing, reads <= 2 else { return (content, look()) }
        let found: Fingerprint?
        do {
            try Self.write(bytes, to: changing)
            found = try Path.status(of: changing).fingerprint
        } catch {
            found = nil
        }
        let end = Moment.now + SettleTime.duration + .milliseconds(10)
        while Moment.now < end {}
        return (content, found)
    }

    func fingerprint() -> Fingerprint? {
        guard let overtaken = overtaken.withLock({ $0 }) else { return look() }
        do {
            try Self.write(Array("half".utf8), to: overtaken)
            return try Path.status(of: overtaken).fingerprint
        } catch {
            return nil
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(Errno) {
        try FileDescriptor.open(path, [.writeOnly, .create, .truncate], permissions: 0o600).writeAll(bytes)
    }

    /// The status of an old file with one name, unless it is to look like another.
    private func look() -> Fingerprint? {
        let path = model.withLock { $0 }
        do throws(Errno) { return try Path.status(of: path).fingerprint } catch { return nil }
    }

    func lock(
        _ request: LockRequest, isWorthless: (Content) -> Bool
    ) throws(GroupFileError) -> any StoredFileLock {
        throw GroupFileError(.directoryKeepsChanging, path: path, "nobody locks it")
    }
}

private final class Listener: CoreListener {
    let told = Log<Publication>()
    let maximumSize = 100

    func offer(_ publication: Publication, from core: FileCore) -> Bool {
        told.append(publication)
        return false
    }

    func take(_ publication: Publication, from core: FileCore) { told.append(publication) }
    func acceptOfferAsJob() {}
}
