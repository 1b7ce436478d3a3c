import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G6 and G12 where one user is killed and another one sweeps, and where the killed writer left part of a value.
@Suite(.fewAtOnce)
struct SharedCrashTests {
    private func names(_ folder: TemporaryDirectory) throws -> Set<String> {
        Set(try folder.names(in: "c/.groupfile"))
    }

    /// A writer is killed at each system call of a write: the next member of the group finds a free lock, and sweeps.
    @Test(arguments: [Sharing.owner, .group])
    func G6_anotherMemberSweepsWhatAKilledOneLeft(sharing: Sharing) async throws {
        guard let folder = try await OtherUsers.folder() else { return }
        let (one, other) = (OtherUsers.member(61001), OtherUsers.member(61002))
        #expect(try await OtherUsers.make(folder, "true", .group, 0, as: one).output == "made 0")
        for step in 1... {
            let killed = try await OtherUsers.run(
                one + [OtherUsers.probe, "crash", "\(step)", "c", "v", "\(step)"], in: folder)
            if killed.output.hasSuffix("survived") { break }
            #expect(killed.exit == .signal(SIGKILL), "\(killed)")
            let next = try await OtherUsers.make(folder, "true", sharing, -step, as: other)
            #expect(next.output == "made \(-step)", "killed at call \(step): \(next)")
            let left = try names(folder)
            #expect(left.isSubset(of: ["v.lock", "v.turn"]), "killed at call \(step): \(left)")
            // Then the first user writes again.
            #expect(try await OtherUsers.make(folder, "true", sharing, step, as: one).output == "made \(step)")
        }
    }

    /// A writer that is killed within a long write leaves part of the value, which is nobody's content.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G12_partOfAValueIsNotKept(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: "", durability: .relaxed)
        let left = Guarded("")
        try await blocking {
            // What is there once the write has moved its first page is what a kill would leave.
            let moved = Guarded(0)
            SystemCallTap.tapping { call, _ in
                switch moved.withLock({ $0 }) {
                case 0 where call == .write:
                    moved.withLock { $0 = 1 }
                    return .short(4096)
                case 1:
                    moved.withLock { $0 = 2 }
                    do {
                        let name = try names(folder).first { $0.hasSuffix(".tmp") } ?? ""
                        #expect(unsafe link(folder.path("c/.groupfile/\(name)"), folder.path("saved")) == 0)
                        // Not read: even the owner may not read the file until it is whole.
                        #expect(try Path.status(of: folder.path("saved")).size == 4096)
                        left.withLock { $0 = name }
                    } catch {
                        Issue.record(error)
                    }
                    return .fail(.inputOutput)
                default: return .none
                }
            } during: {
                _ = #expect(throws: GroupFileError.self) { try file.write(String(repeating: "a", count: 10_000)) }
            }
            let name = left.withLock(\.self)
            #expect(unsafe rename(folder.path("saved"), folder.path("c/.groupfile/\(name)")) == 0)
            try folder.write(name + "\n", to: "c/.groupfile/v.lock")
        }
        #expect(try names(folder).count == 2)
        let other = try await OtherUsers.make(folder, "rm c/v", .owner, 1)
        #expect(other.output == "made 1", "\(other)")
        #expect(try names(folder) == ["v.lock"])
    }

    /// The file system refuses the permission bits that mark a temporary file as unfinished.
    @Test(arguments: [Errno.invalid, .notPermitted])
    func whatCannotBeMarkedIsWrittenAllTheSame(error: Errno) async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"), sharing: .group)
        let file = try GroupFile("v", in: container, initialValue: 0)
        try await blocking {
            let isRefused = Guarded(false)
            try SystemCallTap.tapping { call, name in
                guard call == .openat, name.hasSuffix(".tmp") else { return .none }
                return isRefused.withLock { ($0, $0 = true).0 } ? .none : .fail(error)
            } during: {
                try file.write(1)
            }
            #expect(isRefused.withLock { $0 })
        }
        #expect(try folder.read("c/v") == "1\n")
    }

    /// Somebody has put back the content that was kept, by a hard link.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G12_whatIsKeptAlreadyByALinkLeavesNothing(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let file = try GroupFile(
            "v", in: GroupContainer(directory: folder.path("c")), initialValue: 0, durability: .relaxed)
        try folder.write("bad", to: "c/v")
        try await file.write(1)
        for round in 2...3 {
            try await OtherUsers.shell("rm c/v; ln c/.groupfile/v.rejected c/v", in: folder)
            try await file.write(round)
            #expect(try names(folder) == ["v.lock", "v.rejected"])
            #expect(try folder.read("c/.groupfile/v.rejected") == "bad")
        }
    }

    /// The library may not be allowed to remove what a killed writer left. It leaves that to those who may, and does
    /// not even read it.
    @Test(arguments: ["077", "022"]) func G6_whatMayNotBeSweptIsLeftAlone(umask: String) async throws {
        guard let folder = try await OtherUsers.folderOfRoot() else { return }
        let (one, other) = (OtherUsers.member(61001), OtherUsers.member(61002))
        #expect(try await OtherUsers.make(folder, "true", .group, 0, as: one).output == "made 0")
        let left = "v.1-dead.tmp"
        try await OtherUsers.shell(
            "chmod +t c/.groupfile; echo \(left) > c/.groupfile/v.lock; umask \(umask); echo 7 > c/.groupfile/\(left); "
                + "touch -a -d @1 c/.groupfile/\(left)", as: one, in: folder)
        // In a sticky directory, the second user may open the lock, but may not move the first user's file.
        let next = try await OtherUsers.make(folder, "rm c/v", .group, 2, as: other)
        #expect(next.output == "made 2", "\(next)")
        #expect(try names(folder).contains(left))
        // Reading would change the time of access, because the time of the last modification is later.
        try await OtherUsers.shell("test $(stat -c %X c/.groupfile/\(left)) = 1", in: folder)
        let owner = try await OtherUsers.make(folder, "true", .group, 3, as: one)
        #expect(owner.output == "made 3", "\(owner)")
        #expect(try names(folder) == ["v.lock"])
    }

    /// A user who makes a container for a group may be killed before the container is open to the group.
    @Test(arguments: ["700", "750", "2750"])
    func G10_anEmptyDirectoryIsOpenedToTheGroup(mode: String) async throws {
        guard let folder = try await OtherUsers.folder() else { return }
        let (one, other) = (OtherUsers.member(61001), OtherUsers.member(61002))
        try await OtherUsers.shell("mkdir c; chmod \(mode) c", as: one, in: folder)
        #expect(try await OtherUsers.make(folder, "umask 022", .group, 1, as: one).output == "made 1")
        #expect(try await OtherUsers.make(folder, "umask 022", .group, 2, as: other).output == "made 2")
        #expect(try Path.status(of: folder.path("c")).permissions == 0o2770)
    }

    /// On a file system that has become read-only, the directory stays as it is, and is opened all the same.
    @Test(arguments: [Errno.readOnlyFileSystem, .notPermitted])
    func anEmptyDirectoryThatCannotBeOpenedToItsGroupIsUsed(error: Errno) async throws {
        let folder = try TemporaryDirectory()
        try await OtherUsers.shell("mkdir -m 700 c", in: folder)
        SystemCallTap.failing(.fchmod, with: error) {
            #expect(throws: Never.self) { try GroupContainer(directory: folder.path("c"), sharing: .group) }
        }
        #expect(try Path.status(of: folder.path("c")).permissions == 0o700)
    }

    /// A directory that is in use, or that somebody has given such permissions, is its owner's to open to the group;
    /// and so is a directory above the container.
    @Test(arguments: [
        ("mkdir -m 700 c; touch c/x", "700"), ("mkdir -m 755 c", "755"), ("mkdir -m 777 c; chmod +t c", "1777"),
        ("mkdir -m 700 above; cd above", "2770"),
    ])
    func G10_otherDirectoriesAreLeftAsTheyAre(preparation: String, mode: String) async throws {
        let folder = try TemporaryDirectory()
        #expect(try await OtherUsers.make(folder, "umask 022; \(preparation)", .group, 1).output == "made 1")
        let isAbove = preparation.hasSuffix("above")
        let container = folder.path(isAbove ? "above/c" : "c")
        #expect(try Path.status(of: container).permissions == UInt32(mode, radix: 8))
        if isAbove { #expect(try Path.status(of: folder.path("above")).permissions == 0o700) }
    }

    /// Users who are not in a container's group share the container with the group that they are in.
    @Test func G10_aGroupThatIsNotToBeHadLocksNobodyOut() async throws {
        guard let folder = try await OtherUsers.folderOfRoot() else { return }
        try await OtherUsers.shell("mkdir c; chmod 777 c", in: folder)
        for (turn, user) in [61001, 61002, 61001].enumerated() {
            let outcome = try await OtherUsers.make(folder, "umask 022", .group, turn, as: OtherUsers.member(user))
            #expect(outcome.output == "made \(turn)", "\(outcome)")
        }
    }

    /// Nobody who makes a container is led astray: what takes its place belongs to somebody else.
    @Test func G11_aLinkInPlaceOfANewContainerIsNotOpened() async throws {
        let folder = try TemporaryDirectory()
        try await OtherUsers.shell("umask 022; mkdir -m 700 private", in: folder)
        let (made, place, target) = (folder.path("c"), folder.path("old"), folder.path("private"))
        let isMade = Guarded(false)
        SystemCallTap.tapping(everyThread: false) { call, _ in
            if call == .mkdirat { isMade.withLock { $0 = true } }
            guard call == .fstatat, isMade.withLock({ exchange(&$0, with: false) }) else { return .none }
            #expect(unsafe (rename(made, place), symlink(target, made)) == (0, 0))
            return .none
        } during: {
            _ = #expect(throws: GroupFileError.self) { try GroupContainer(directory: made, sharing: .group) }
        }
        #expect(try Path.status(of: target).permissions == 0o700)
    }
}
