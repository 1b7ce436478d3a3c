import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// What happens to content that a write displaces: it is thrown away, kept for its user, or put back; nothing of the
/// user's is lost.
struct DisplacedContentTests {
    /// File systems differ in what they can do with two names.
    enum Exchanging: CaseIterable, Sendable {
        case known, unknown

        func fault(_ call: SystemCall) -> SystemCallFault {
            self == .unknown && call == .renameat2 ? .fail(.invalid) : .none
        }
    }

    private func control(_ folder: TemporaryDirectory) throws -> [String] {
        try folder.names(in: "c/.groupfile").filter {
            !$0.hasSuffix(".lock") && !$0.hasSuffix(".turn")
        }
    }

    private func failure(_ body: () throws(GroupFileError) -> Void) -> GroupFileError? {
        do throws(GroupFileError) { try body() } catch { return error }
        return nil
    }

    @Test(arguments: Exchanging.allCases)
    func G12_contentThatCannotBeKeptIsPutBack(exchanging: Exchanging) throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        try folder.write("no number", to: "c/v")
        let file = try GroupFile("v", in: container, initialValue: 0)
        SystemCallTap.tapping { call, detail in
            detail.hasSuffix(".rejected") && call == .renameat ? .fail(.inputOutput) : exchanging.fault(call)
        } during: {
            _ = #expect(throws: GroupFileError.self) { try file.write(1) }
        }
        #expect(try folder.read("c/v") == "no number")
        #expect(try control(folder) == [])
        try file.write(2)
        #expect(try folder.read("c/.groupfile/v.rejected") == "no number")
        #expect(try folder.read("c/v") == "2\n")
    }

    /// The displaced content can neither be kept nor put back: it stays where it is, the error says where, and the next
    /// write keeps it.
    @Test(arguments: TemporaryDirectory.Place.allCases, Exchanging.allCases)
    func G12_contentThatCannotBePutBackIsKeptByTheNextWrite(
        place: TemporaryDirectory.Place, exchanging: Exchanging
    ) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        try folder.write("no number", to: "c/v")
        let file = try GroupFile("v", in: container, initialValue: 0)
        let isPublished = Guarded(false)
        SystemCallTap.tapping { call, detail in
            guard call == .renameat || call == .renameat2 else { return .none }
            if isPublished.withLock({ $0 }) { return .fail(.inputOutput) }
            let fault = exchanging.fault(call)
            if case .none = fault { isPublished.withLock { $0 = true } }
            return fault
        } during: {
            let error = #expect(throws: GroupFileError.self) { try file.write(1) }
            // As documented for an error after which the change must not be tried again.
            #expect(error?.code == .notDurable && error?.errno == Errno.inputOutput.rawValue, "\(error as Any)")
            do {
                let left = try control(folder)
                #expect(left.count == 1 && error?.message.contains(".groupfile/" + left[0]) == true)
            } catch {
                Issue.record(error)
            }
        }
        #expect(try folder.read("c/v") == "1\n")
        for number in 2...3 {
            SystemCallTap.tapping { call, _ in
                exchanging.fault(call)
            } during: {
                #expect(throws: Never.self) { try file.write(number) }
            }
            #expect(try control(folder) == ["v.rejected"])
        }
        #expect(try folder.read("c/.groupfile/v.rejected") == "no number")
        #expect(try folder.read("c/v") == "3\n")
    }

    /// Nobody else uses the name of a temporary file; a file that has this name nevertheless is not ours to remove.
    @Test func G12_whatBearsTheNameOfATemporaryFileIsKept() throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let temporary = try folder.read("c/.groupfile/v.lock").dropLast()
        try folder.write("no number", to: "c/.groupfile/\(temporary)")
        #expect(throws: GroupFileError.self) { try file.write(1) }
        #expect(try folder.read("c/v") == "0\n")
        try file.write(2)
        #expect(try control(folder) == ["v.rejected"])
        #expect(try folder.read("c/.groupfile/v.rejected") == "no number")
    }

    /// A FIFO comes into the value's place after the write has looked, and stays there.
    private func expectAFIFO(
        in place: String, _ exchanging: Exchanging, filledBy fill: @escaping @Sendable () -> Void = {},
        during write: () throws -> Void
    ) throws {
        SystemCallTap.tapping { call, _ in
            if call == .write {
                _ = unsafe unlink(place)
                _ = unsafe mkfifo(place, 0o600)
                fill()
            }
            return exchanging.fault(call)
        } during: {
            let error = #expect(throws: GroupFileError.self) { try write() }
            #expect(error?.code == .notRegularFile)
        }
        #expect(try Path.linkStatus(of: place).kind == .fifo)
    }

    @Test(arguments: Exchanging.allCases)
    func G12_whatIsNoFileIsPutBack(exchanging: Exchanging) throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        try expectAFIFO(in: folder.path("c/v"), exchanging) { try file.write(1) }
        #expect(try control(folder) == [])
    }

    /// A FIFO has no bytes, like an empty value.
    @Test(arguments: Exchanging.allCases)
    func G12_whatIsNoFileIsNotTakenForAnEmptyOne(exchanging: Exchanging) throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: Data(), codec: .data)
        try expectAFIFO(in: folder.path("c/v"), exchanging) { try file.write(Data([1])) }
    }

    /// A FIFO may hold the very bytes of the value.
    @Test(arguments: Exchanging.allCases)
    func G12_whatIsNoFileIsNotReadForItsBytes(exchanging: Exchanging) throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let place = folder.path("c/v")
        let end = Guarded<Int32>(-1)
        defer { end.withLock { _ = close($0) } }
        let fill = { @Sendable in
            let opened = unsafe Foundation.open(place, O_RDWR | O_CLOEXEC)
            _ = unsafe Foundation.write(opened, "0\n", 2)
            end.withLock { $0 = opened }
        }
        try expectAFIFO(in: place, exchanging, filledBy: fill) { try file.write(1) }
    }

    /// Ten contents are kept, and none of them can be read: they belong to another user, say.
    @Test func G12_theOldestGoesAlsoOfThoseThatCannotBeRead() throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let places = ["v.rejected"] + (1...9).map { "v.rejected.\($0)" }
        for place in places { try folder.write("one of ten", to: "c/.groupfile/" + place) }
        let oldest = try #require(
            try places.min {
                try Path.linkStatus(of: folder.path("c/.groupfile/" + $0)).changed
                    < Path.linkStatus(of: folder.path("c/.groupfile/" + $1)).changed
            })
        try folder.write("no number", to: "c/v")
        SystemCallTap.tapping { call, detail in
            call == .openat && detail.contains(".rejected") ? .fail(.accessDenied) : .none
        } during: {
            #expect(throws: Never.self) { try file.write(1) }
        }
        #expect(try folder.read("c/.groupfile/" + oldest) == "no number")
        #expect(Set(try control(folder)) == Set(places))
    }

    /// A leftover directory is to take a kept file's place: rename(2) does not do that.
    @Test(arguments: [true, false], TemporaryDirectory.Place.allCases)
    func G12_aDirectoryThatWasLeftKeepsNobodyFromWriting(areDirectories: Bool, place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let control = try Directory(path: folder.path("c/.groupfile"))
        let kept = ["v.rejected"] + (1...9).map { "v.rejected.\($0)" }
        for name in kept {
            if areDirectories {
                try control.makeDirectory(name, permissions: 0o700)
            } else {
                try folder.write(name, to: "c/.groupfile/" + name)
            }
        }
        try folder.write("v.1-a.tmp\n", to: "c/.groupfile/v.lock")
        try control.makeDirectory("v.1-a.tmp", permissions: 0o700)
        try file.write(1)
        try file.update { $0 += 1 }
        #expect(try folder.read("c/v") == "2\n")
        #expect(Set(try self.control(folder)) == Set(areDirectories ? kept + ["v.1-a.tmp"] : kept))
        #expect(try kept.count { try control.status(of: $0).kind == .directory } == (areDirectories ? 10 : 1))
        try file.remove()
    }

    private static let wants = [Errno.tooManyOpenFiles, .fileTableFull, .noMemory]

    /// Fails the calls that open a displaced file, which bears the name under which the new value was made.
    private func wanting<R>(_ error: Errno, _ body: () throws -> R) rethrows -> R {
        let made = Guarded(false)
        return try SystemCallTap.tapping { call, name in
            guard call == .openat, name.contains(".rejected") || name.hasSuffix(".tmp") else { return .none }
            return made.withLock { exchange(&$0, with: true) } ? .fail(error) : .none
        } during: {
            try body()
        }
    }

    /// Nobody can tell what the displaced file holds: it is kept as it is, and the publication stands.
    @Test(arguments: wants, TemporaryDirectory.Place.allCases)
    func G12_whatCannotBeReadForWantOfDescriptorsIsKept(error: Errno, place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        try folder.write("no number", to: "c/v")
        try wanting(error) { try file.write(1) }
        #expect(try folder.read("c/v") == "1\n")
        #expect(try control(folder) == ["v.rejected"])
        #expect(try folder.read("c/.groupfile/v.rejected") == "no number")
        #expect(file.value == 1)
        // Content that came into the value's place after the read is kept, too.
        try wanting(error) {
            try file.update { value in
                value += 1
                do { try folder.write("nothing", to: "c/v") } catch { Issue.record(error) }
            }
        }
        #expect(try folder.read("c/v") == "2\n")
        #expect(Set(try control(folder)) == ["v.rejected", "v.rejected.1"])
        #expect(try folder.read("c/.groupfile/v.rejected.1") == "nothing")
    }

    /// The displaced file's status shows that it is the file that was read before: it is not kept, and so pushes out
    /// nobody's content.
    @Test(arguments: wants + [.inputOutput, .accessDenied], TemporaryDirectory.Place.allCases)
    func G3_noUpdateIsTakenBackForWantOfDescriptors(error: Errno, place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        for number in 1...3 {
            try wanting(error) { try file.update { $0 += 1 } }
            #expect(try folder.read("c/v") == "\(number)\n")
        }
        for number in 4...6 {
            // A foreign value: our own would not be read again.
            try folder.write("\(number * 10)\n", to: "c/v")
            try wanting(error) { try file.update { $0 += 1 } }
            #expect(try folder.read("c/v") == "\(number * 10 + 1)\n")
        }
        #expect(try control(folder) == [])
    }

    /// A FIFO is recognised without a descriptor.
    @Test(arguments: wants)
    func G12_whatIsNoFileIsPutBackForWantOfDescriptors(error: Errno) throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let place = folder.path("c/v")
        let thrown = wanting(error) {
            failure { () throws(GroupFileError) in
                try file.update { value in
                    value = 1
                    _ = unsafe (unlink(place), mkfifo(place, 0o600))
                }
            }
        }
        #expect(thrown?.code == .notRegularFile)
        #expect(try Path.linkStatus(of: place).kind == .fifo)
        #expect(try control(folder) == [])
    }

    /// A writer was killed, and nobody can tell what it left: the file is neither thrown away nor kept, and the error
    /// tells the true cause.
    @Test(arguments: wants)
    func G12_whatAKilledWriterLeftStaysForWantOfDescriptors(error: Errno) throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        try folder.write("v.1-a.tmp\n", to: "c/.groupfile/v.lock")
        try folder.write("precious", to: "c/.groupfile/v.1-a.tmp")
        let thrown = SystemCallTap.tapping { call, name in
            call == .openat && name == "v.1-a.tmp" ? .fail(error) : .none
        } during: {
            failure { () throws(GroupFileError) in try file.write(1) }
        }
        #expect(thrown?.errno == error.rawValue)
        #expect(try control(folder) == ["v.1-a.tmp"])
        #expect(try folder.read("c/v") == "0\n")
        try file.write(1)
        #expect(try folder.read("c/.groupfile/v.rejected") == "precious")
    }

    /// What a foreign writer does after the publication.
    enum Foreign: CaseIterable, Sendable {
        case saves, removesAndSaves
    }

    /// The displaced content cannot be kept at first: a save that comes before it is put back is newer than both that
    /// content and the value written.
    @Test(
        arguments: TemporaryDirectory.Place.allCases,
        [(Exchanging.known, Foreign.saves), (.unknown, .saves), (.known, .removesAndSaves)])
    func G12_aSaveThatComesBeforeSomethingIsPutBackStands(
        place: TemporaryDirectory.Place, how: (exchanging: Exchanging, foreign: Foreign)
    ) throws {
        for isKept in [true, false] {
            let folder = try TemporaryDirectory(on: place)
            let container = try GroupContainer(directory: folder.path("c"))
            try folder.write("no number", to: "c/v")
            let file = try GroupFile("v", in: container, initialValue: 0)
            let attempts = Guarded(0)
            @Sendable func save() {
                do { try folder.write("saved", to: "u") } catch { Issue.record(error) }
                #expect(unsafe rename(folder.path("u"), folder.path("c/v")) == 0)
            }
            let thrown = SystemCallTap.tapping { call, detail in
                if call == .renameat, detail.hasSuffix(".rejected") {
                    let attempt = attempts.increment()
                    if attempt > 1 { return isKept ? .none : .fail(.inputOutput) }
                    if how.foreign == .saves { save() } else { _ = unsafe unlink(folder.path("c/v")) }
                    return .fail(.inputOutput)
                }
                if how.foreign == .removesAndSaves, call == .renameat2, detail.hasSuffix("v noreplace") { save() }
                return how.exchanging.fault(call)
            } during: {
                failure { () throws(GroupFileError) in try file.write(1) }
            }
            #expect(try folder.read("c/v") == "saved")
            let names = try control(folder)
            #expect(names.count == 1)
            #expect(try folder.read("c/.groupfile/" + (names.first ?? "")) == "no number")
            let left = "what the write displaced is .groupfile/\(names.first ?? "")"
            #expect(
                isKept ? thrown == nil && names == ["v.rejected"] : thrown?.message.contains(left) == true,
                "\(thrown as Any)")
        }
    }

    /// Nor can that save be put back once the displaced file has taken its place: the error says where the save is.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G12_aSaveThatCannotBePutBackIsKeptByTheNextWrite(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        try folder.write("no number", to: "c/v")
        let file = try GroupFile("v", in: container, initialValue: 0)
        let exchanges = Guarded(0)
        let thrown = SystemCallTap.tapping { call, detail in
            if call == .renameat, detail.hasSuffix(".rejected") {
                do { try folder.write("saved", to: "u") } catch { Issue.record(error) }
                #expect(unsafe rename(folder.path("u"), folder.path("c/v")) == 0)
                return .fail(.inputOutput)
            }
            // The three exchanges: to publish, to put back, and to undo that.
            return call == .renameat2 && exchanges.increment() == 3 ? .fail(.inputOutput) : .none
        } during: {
            failure { () throws(GroupFileError) in try file.write(1) }
        }
        let name = try control(folder).first ?? ""
        #expect(thrown?.message.contains("what was saved meanwhile is .groupfile/\(name)") == true, "\(thrown as Any)")
        #expect(try folder.read("c/v") == "no number")
        try file.write(2)
        #expect(try folder.read("c/v") == "2\n")
        let kept = try control(folder).map { try folder.read("c/.groupfile/" + $0) }
        #expect(kept.sorted() == ["no number", "saved"])
    }

    /// Nor is anything displaced where a value is created: the first wins, also where the file system cannot rename without
    /// replacing. There the new file is linked, and its first name is removed.
    @Test(arguments: TemporaryDirectory.Place.allCases, Exchanging.allCases)
    func creationDisplacesNothing(place: TemporaryDirectory.Place, exchanging: Exchanging) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let (creation, ending) = exchanging == .known ? (SystemCall.renameat2, " v noreplace") : (.linkat, " v")
        let isOthersTurn = Guarded(false)
        func opened() throws -> GroupFile<Int> {
            try SystemCallTap.tapping { call, detail in
                if call == creation, detail.hasSuffix(ending), isOthersTurn.withLock({ $0 }) {
                    isOthersTurn.withLock { $0 = false }
                    do { try folder.write("7", to: "c/v") } catch { Issue.record(error) }
                }
                return exchanging.fault(call)
            } during: { () throws(GroupFileError) in
                try GroupFile("v", in: container, initialValue: 1)
            }
        }
        #expect(try opened().value == 1)
        #expect(try folder.read("c/v") == "1\n" && Path.status(of: folder.path("c/v")).links == 1)
        #expect(try control(folder) == [])
        #expect(unsafe unlink(folder.path("c/v")) == 0)
        isOthersTurn.withLock { $0 = true }
        let second = try opened()
        #expect(second.value == 7 && second.status == .current)
        #expect(try folder.read("c/v") == "7")
        #expect(try control(folder) == [])
    }

    /// The file is longer than content that is kept without being compared.
    @Test func G12_aLongValueThatDecodesIsNotKept() throws {
        let folder = try TemporaryDirectory(on: .memory)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile(
            "v", in: container, initialValue: Data(), codec: .data, durability: .relaxed, maximumSize: 32 << 20)
        try file.write(Data(repeating: 1, count: 17 << 20))
        try file.write(Data(repeating: 2, count: 3))
        #expect(try control(folder) == [])
    }

    /// A writer was killed on a file system that cannot exchange names.
    @Test func G6_theSecondNameOfAKilledWriterIsSwept() throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        try folder.write("v.1-a.tmp\n", to: "c/.groupfile/v.lock")
        try folder.write("1", to: "c/.groupfile/v.1-a.tmp")
        try folder.write("1", to: "c/.groupfile/v.1-a.tmp.old")
        try file.write(1)
        #expect(try control(folder) == [])
    }

    /// Any call of the fallback may fail: the old value or the new one is there, and nothing beside it.
    @Test(arguments: [SystemCall.linkat, .renameat, .unlinkat], 1...3)
    func G6_withoutExchangeEveryFailureLeavesOldOrNew(failing: SystemCall, number: Int) throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let count = Guarded(0)
        var error: GroupFileError?
        SystemCallTap.tapping { call, _ in
            if call == failing,
                count.withLock({
                    $0 += 1; return $0
                }) == number
            {
                return .fail(.inputOutput)
            }
            return Exchanging.unknown.fault(call)
        } during: {
            do throws(GroupFileError) { try file.write(1) } catch let thrown { error = thrown }
        }
        // A call that only removes a file is no reason for the write to fail.
        #expect(count.withLock { $0 } > 0 && (number > 1 || failing == .unlinkat || error != nil))
        let found = try folder.read("c/v")
        #expect(found == (error == nil ? "1\n" : "0\n"))
        #expect(try file.read() == (error == nil ? 1 : 0))
        // What could not be removed is swept by the next writer.
        SystemCallTap.tapping { call, _ in
            Exchanging.unknown.fault(call)
        } during: {
            #expect(throws: Never.self) { try file.write(2) }
        }
        #expect(try control(folder) == [])
    }

    /// Without exchange and links, nothing can be replaced without losing what is there.
    @Test(arguments: [Errno.notPermitted, .noSystemCall, .notSupported], TemporaryDirectory.Place.allCases)
    func withoutExchangeAndLinksNothingIsReplaced(answer: Errno, place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        SystemCallTap.tapping { call, _ in
            call == .linkat ? .fail(answer) : Exchanging.unknown.fault(call)
        } during: {
            let errors = [
                failure { () throws(GroupFileError) in try file.write(1) },
                failure { () throws(GroupFileError) in _ = try GroupFile("w", in: container, initialValue: 0) },
            ]
            for error in errors {
                #expect(error?.code == .system)
                #expect(error?.message.contains("put the container on another one; the value is unchanged") == true)
            }
        }
        #expect(try folder.read("c/v") == "0\n")
        #expect(try file.read() == 0)
        #expect(try container.currentNames() == ["v"])
        #expect(try control(folder) == [])
    }

    /// Linking another user's file is not allowed everywhere; that does not mean that the file system lacks links.
    @Test func withoutExchangeAFileThatMayNotBeLinkedIsNotReplaced() throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        SystemCallTap.tapping { call, detail in
            call == .linkat && detail.hasPrefix("v ") ? .fail(.notPermitted) : Exchanging.unknown.fault(call)
        } during: {
            let error = #expect(throws: GroupFileError.self) { try file.write(1) }
            #expect(error?.code == .permissionDenied)
        }
        #expect(try folder.read("c/v") == "0\n")
        #expect(try control(folder) == [])
    }

    /// The new value never lies in a file that more users may read than the file it replaces.
    @Test func G10_theTemporaryFileIsNeverWiderThanTheValue() throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"), sharing: .group)
        let file = try GroupFile("v", in: container, initialValue: 0)
        let isNarrow = unsafe chmod(folder.path("c/v"), 0o600) == 0
        #expect(isNarrow)
        let seen = Guarded<[UInt32]>([])
        let place = folder.path("c/.groupfile")
        SystemCallTap.tapping { call, _ in
            guard call == .write else { return .none }
            do {
                for name in try FileManager.default.contentsOfDirectory(atPath: place) where name.hasSuffix(".tmp") {
                    let permissions = try Path.linkStatus(of: place + "/" + name).permissions
                    seen.withLock { $0.append(permissions & 0o177) }
                }
            } catch {
                Issue.record(error)
            }
            return .none
        } during: {
            #expect(throws: Never.self) { try file.write(1) }
        }
        #expect(seen.withLock { $0 } == [0])
        #expect(try Path.linkStatus(of: folder.path("c/v")).permissions == 0o600)
    }
}
