import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Containers that are exchanged for others under their path, while they are in use.
@Suite(.endsInTime)
struct ExchangedDirectoryTests {
    /// `mv A B; ln -sfn B L`, and at once a read and a write: the kernel has queued the events, but the library may not
    /// have read them yet.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_aLinkThatWasChangedAMomentAgoIsFollowed(place: TemporaryDirectory.Place) async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: place)
            let manager = FileManager.default
            try manager.createDirectory(atPath: folder.path("0"), withIntermediateDirectories: false)
            try manager.createSymbolicLink(atPath: folder.path("c"), withDestinationPath: "0")
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: -1, durability: .relaxed)
            try file.write(0)
            for round in 1...200 {
                try manager.moveItem(atPath: folder.path("\(round - 1)"), toPath: folder.path("\(round)"))
                try manager.removeItem(atPath: folder.path("c"))
                try manager.createSymbolicLink(atPath: folder.path("c"), withDestinationPath: "\(round)")
                if round % 2 == 0 { #expect(try file.read() == round - 1) }
                try file.write(round)
                #expect(try folder.read("c/v") == "\(round)\n")
            }
        }
    }

    /// `mv A B; ln -sfn B L` while the value is being changed: the directory and the file are still the same.
    @Test(arguments: TemporaryDirectory.Place.allCases, [true, false])
    func G5_anUpdateIsMadeOnceWhereItsDirectoryIsMovedBehindALink(
        place: TemporaryDirectory.Place, isAwaited: Bool
    ) async throws {
        let folder = try TemporaryDirectory(on: place)
        let root = try Directory(path: folder.path)
        try root.makeDirectory("a", permissions: 0o700)
        @Sendable func link(to target: String) {
            let (new, link) = (folder.path("new"), folder.path("c"))
            #expect(unsafe (symlink(target, new), rename(new, link)) == (0, 0))
        }
        link(to: "a")
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .testDeadline)
        let nested = Log<GroupFileError.Code?>()
        @Sendable func change(_ value: inout Int) {
            value += 1
            if value > 1 { return }
            #expect(throws: Never.self) { try root.rename("a", to: "b", .replace) }
            link(to: "b")
            do throws(GroupFileError) {
                try file.update { $0 += 1 }
                nested.append(nil)
            } catch {
                nested.append(error.code)
            }
        }
        if isAwaited {
            try await file.update { value async in change(&value) }
        } else {
            try await blocking { try file.update { change(&$0) } }
        }
        #expect(file.value == 1)
        #expect(nested.elements == [.nested])
        #expect(try folder.read("b/v") == "1\n")
    }

    /// To the file system two spellings of é are two names: one is the link, the other what it leads to.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_aLinkToAnotherSpellingOfItsNameIsFollowed(place: TemporaryDirectory.Place) async throws {
        try await blocking {
            for _ in 0..<50 {
                let folder = try TemporaryDirectory(on: place)
                let (link, old, new) = (folder.path("\u{e9}"), folder.path("e\u{301}"), folder.path("new"))
                #expect(unsafe mkdir(old, 0o700) == 0)
                try folder.write("7", to: "e\u{301}/v")
                #expect(unsafe symlink("e\u{301}", link) == 0)
                let container = try GroupContainer(directory: link, access: .readOnly)
                let file = try GroupFile("v", in: container, initialValue: -1, access: .readOnly)
                #expect(file.value == 7)
                #expect(unsafe (rename(old, new), unlink(link), symlink("new", link)) == (0, 0, 0))
                #expect(try file.read() == 7)
            }
        }
    }

    /// The link is changed, and its old target removed, just when the value is being looked at or opened there.
    @Test(arguments: [SystemCall.fstatat, .open])
    func G4_aReadIsRepeatedWhereTheDirectoryWasExchangedMeanwhile(before step: SystemCall) async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let manager = FileManager.default
            for (name, value) in [("a", "1"), ("b", "2")] {
                try manager.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
                try folder.write(value, to: "\(name)/v")
            }
            try manager.createSymbolicLink(atPath: folder.path("c"), withDestinationPath: "a")
            try manager.createSymbolicLink(atPath: folder.path("next"), withDestinationPath: "b")
            let container = try GroupContainer(directory: folder.path("c"), access: .readOnly)
            let file = try GroupFile("v", in: container, initialValue: -1, access: .readOnly)
            #expect(file.value == 1)
            let told = Log<Int>()
            let subscription = file.sink { told.append($0) }
            defer { subscription.cancel() }
            let (old, gone) = (folder.path("a"), folder.path("gone"))
            let (link, next) = (folder.path("c"), folder.path("next"))
            let value = try SystemCallTap.tapping { call, detail in
                if call == step, detail == old + "/v" { _ = unsafe (rename(next, link), rename(old, gone)) }
                return .none
            } during: { () throws(GroupFileError) in
                try file.read()
            }
            #expect(value == 2)
            #expect(!told.elements.contains(-1))
        }
    }

    /// The directory is missing for the instant in which it is opened to be locked.
    @Test func G4_aWriteThatMissesItsDirectoryForAMomentIsRepeated() async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let path = folder.path("c")
            #expect(unsafe mkdir(path, 0o700) == 0)
            try folder.write("1", to: "c/v")
            let file = try GroupFile("v", in: try GroupContainer(directory: path), initialValue: 0)
            let misses = Guarded(0)
            try SystemCallTap.tapping { call, detail in
                let isMissed = misses.withLock { misses in
                    if call == .open, detail == path { misses += 1 }
                    return call == .open && detail == path && misses == 1
                }
                return isMissed ? .fail(.noEntry) : .none
            } during: { () throws(GroupFileError) in
                try file.write(2)
            }
            #expect(misses.withLock { $0 } == 2)
            #expect(try folder.read("c/v") == "2\n")
        }
    }

    /// The link leads elsewhere each time a lock has been tried: after the second lock that is held too long, the write
    /// gives up.
    @Test(arguments: [1, 2])
    func aLockThatTimedOutIsWaitedForOnceMoreAndNoMore(held: Int) async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let manager = FileManager.default
            for name in ["a", "b", "d"] {
                try manager.createDirectory(
                    atPath: folder.path("\(name)/.groupfile"), withIntermediateDirectories: true)
                try folder.write("", to: "\(name)/.groupfile/v.lock")
                try folder.write("0", to: "\(name)/v")
            }
            try manager.createSymbolicLink(atPath: folder.path("c"), withDestinationPath: "a")
            for name in ["b", "d"] {
                try manager.createSymbolicLink(atPath: folder.path("to \(name)"), withDestinationPath: name)
            }
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .milliseconds(50))
            let holders = try ["a", "b"].prefix(held).map { name in
                let holder = FileLock(try Directory(path: folder.path("\(name)/.groupfile")).open("v.lock", .readWrite))
                try holder.lock()
                return holder
            }
            let (link, next) = (folder.path("c"), [folder.path("to b"), folder.path("to d")])
            let opened = Guarded(0)
            let error = SystemCallTap.tapping { call, detail in
                if call == .openat, detail == "v.lock" {
                    let count = opened.increment()
                    if count <= held { _ = unsafe rename(next[count - 1], link) }
                }
                return .none
            } during: { () -> GroupFileError? in
                do throws(GroupFileError) { try file.write(1) } catch { return error }
                return nil
            }
            #expect(error?.code == (held == 2 ? .timedOut : nil))
            #expect(
                try ["a", "b", "d"].map { try folder.read("\($0)/v") }
                    == (held == 2 ? ["0", "0", "0"] : ["0", "1\n", "0"]))
            withExtendedLifetime(holders) {}
        }
    }

    /// The directory's parent is removed just when the directory is to be made anew.
    @Test func aDirectoryWhoseParentIsRemovedMeanwhileIsMade() async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let (parent, path) = (folder.path("p"), folder.path("p/c"))
            let file = try GroupFile("v", in: try GroupContainer(directory: path), initialValue: 0)
            try FileManager.default.removeItem(atPath: parent)
            let attempts = Guarded(0)
            try SystemCallTap.tapping { call, detail in
                let count = attempts.withLock { attempts in
                    if call == .mkdirat, detail == path { attempts += 1 }
                    return attempts
                }
                if call == .mkdirat, detail == path, count == 2 { _ = unsafe rmdir(parent) }
                return .none
            } during: { () throws(GroupFileError) in
                try file.write(1)
            }
            #expect(attempts.withLock { $0 } > 2)
            #expect(try folder.read("p/c/v") == "1\n")
        }
    }

    /// The displaced content vanishes with the control directory just when it is to be kept.
    @Test func aWriteWhoseControlDirectoryIsRemovedMeanwhileIsNoFailure() async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let file = try GroupFile("v", in: try GroupContainer(directory: folder.path("c")), initialValue: 0)
            try folder.write("bad", to: "c/v")
            let control = folder.path("c/.groupfile")
            let isRemoved = Guarded(false)
            try SystemCallTap.tapping { call, detail in
                if call == .renameat, detail.contains(".rejected") {
                    do { try FileManager.default.removeItem(atPath: control) } catch { Issue.record(error) }
                    isRemoved.withLock { $0 = true }
                }
                return .none
            } during: { () throws(GroupFileError) in
                try file.write(1)
            }
            #expect(isRemoved.withLock { $0 })
            #expect(try folder.read("c/v") == "1\n")
        }
    }

    /// A path at which there is a value at every instant is never read as missing, and can always be locked.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_aDirectoryThatIsExchangedIsThereAtEveryInstant(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        for name in ["c", "d"] {
            let container = try GroupContainer(directory: folder.path(name))
            _ = try GroupFile("v", in: container, initialValue: 7)
        }
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: -1, durability: .relaxed)
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        let isOver = Guarded(false)
        let rounds = Guarded(0)
        let exchanged = Gate()
        let ended = Gate()
        try Thread.spawn(named: "exchanger") {
            var seen = -1
            do {
                let parent = try Directory(path: folder.path)
                while !isOver.withLock({ $0 }) {
                    Thread.sleep(for: .microseconds(200))
                    // Exchange only once for each round that has ended: a call whose directory is exchanged again and
                    // again may give up.
                    let now = rounds.withLock { $0 }
                    if now == seen { continue }
                    seen = now
                    try parent.rename("c", to: "d", in: parent, .exchange)
                    exchanged.open()
                }
            } catch {
                Issue.record(error)
            }
            ended.open()
        }
        #expect(await exchanged.opened())
        try await blocking {
            defer { isOver.withLock { $0 = true } }
            for round in 0..<12_000 {
                if round % 3 == 0 { try file.update { _ in } } else { #expect(try file.read() == 7) }
                rounds.withLock { $0 += 1 }
            }
        }
        #expect(await ended.opened())
        #expect(Set(told.elements) == [7])
    }

    /// An event that is judged before the path is followed causes a read of the directory that the path leads to by
    /// then. A change that is under way in the former directory must not offer what it reads there.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G3_whatWasMovedAwayDoesNotFollowWhatTookItsPlace(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        for (name, value) in [("c", 1), ("next", 2)] {
            _ = try GroupFile("v", in: GroupContainer(directory: folder.path(name)), initialValue: value)
        }
        let container = try GroupContainer(
            directory: folder.path("c"), access: .readWrite, sharing: .owner, usesNotifications: false)
        let file = try GroupFile("v", in: container, initialValue: 0)
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first { $0 == 1 } != nil)
        let transaction = try file.begin(nil)
        let parent = try Directory(path: folder.path)
        try parent.rename("c", to: "next", in: parent, .exchange)
        #expect(await eventually { transaction.lock.isLost })
        transaction.core.refresh()
        #expect(await told.first { $0 == 2 } != nil)
        let error = #expect(throws: GroupFileError.self) {
            _ = try transaction.core.read(through: transaction.lock, limit: 16)
        }
        #expect(error?.code == .directoryKeepsChanging)
        #expect(try folder.read("next/v") == "1\n")
        // Nor may it offer that there is no value.
        try FileManager.default.removeItem(atPath: folder.path("next/v"))
        let refusal = #expect(throws: GroupFileError.self) { try transaction.lock.commitRemoval() }
        #expect(refusal?.code == .directoryKeepsChanging)
        transaction.lock.release()
        try await blocking { try file.update { $0 += 1 } }
        #expect(await told.first { $0 == 3 } != nil)
        #expect(told.elements == [1, 2, 3])
    }

    /// Until the directory's users are attached elsewhere, they look where it was, not in the root directory.
    @Test func aDirectoryThatWasGivenBackKnowsWhereItWas() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path
        let directory = DirectoryCore.shared(try Path.status(of: path).identity, path: path, watcher: nil)
        directory.giveBack(path, watcher: nil)
        #expect(directory.path == path)
        #expect(directory.core("v").file.path == path + "/v")
    }

    /// The core that the path leads to now has no listener yet, so the reader's own limit counts.
    @Test func whoReadsMayReadAsMuchAsHeMay() throws {
        let folder = try TemporaryDirectory()
        try folder.write("12345", to: "v")
        let directory = DirectoryCore.shared(
            try Path.status(of: folder.path).identity, path: folder.path, watcher: nil)
        #expect(directory.core("v").read(limit: 5).content == .bytes(Array("12345".utf8)))
        #expect(directory.core("w").read(limit: 5).content == .missing)
    }
}
