import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G10: who may read and write.
@Suite(.fewAtOnce)
struct PermissionTests {
    static let umasks = ["000", "022", "077", "027"]

    @Test(arguments: [Sharing.owner, .group], umasks)
    func G10_whatIsMadeIsForItsOwnerOrItsGroup(sharing: Sharing, umask: String) async throws {
        let folder = try TemporaryDirectory()
        #expect(try await OtherUsers.make(folder, "umask \(umask)", sharing, 7).output == "made 7")
        let (directory, file) = sharing == .owner ? ("700", "600") : ("2770", "660")
        #expect(try mode(folder.path("c")) == directory)
        #expect(try mode(folder.path("c/.groupfile")) == directory)
        for name in ["v", ".groupfile/v.lock"] {
            #expect(try mode(folder.path("c/" + name)) == file, "\(name)")
        }
    }

    /// Replacing a file keeps its bits, whatever the umask, and never widens them; bits that are not permissions are
    /// not kept.
    @Test(arguments: ["600", "640", "604", "444", "400", "666", "4755"], umasks)
    func G10_replacingKeepsThePermissions(before: String, umask: String) async throws {
        for sharing in [Sharing.owner, .group] {
            let folder = try TemporaryDirectory()
            try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
            try folder.write("1", to: "c/v")
            let outcome = try await OtherUsers.make(folder, "chmod \(before) c/v; umask \(umask)", sharing, 7)
            #expect(outcome.output == "made 7", "\(outcome)")
            #expect(try mode(folder.path("c/v")) == String(before.suffix(3)))
            #expect(try folder.read("c/v") == "7\n")
        }
    }

    private struct Lamp: Codable, Sendable {
        var brightness: Int
    }

    /// Looks without a system call of the library, because that call would be tapped.
    private static func untappedMode(_ path: String) -> mode_t {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// A sync takes its time: somebody who narrows the permissions meanwhile does not find the old ones again, not even
    /// for a moment.
    @Test(arguments: [Durability.relaxed, .consistent], [1, 2])
    func G10_whatIsNarrowedWhileAWriteIsPreparedStaysNarrow(durability: Durability, writes: Int) async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let path = folder.path("c/v")
        // A number is written at once; an object is written over what is known to be there.
        let number = try GroupFile("v", in: container, initialValue: 1, durability: durability)
        let lamp = try GroupFile("v", in: container, initialValue: Lamp(brightness: 0), durability: durability)
        let step = durability == .relaxed ? SystemCall.write : .fsync
        @Sendable func narrowed(_ write: () throws -> Void) throws -> String {
            #expect(unsafe chmod(path, 0o644) == 0)
            let published = Guarded((isJustNow: false, mode: mode_t?.none))
            try SystemCallTap.tapping { call, _ in
                if call == step { _ = unsafe chmod(path, 0o600) }
                published.withLock { published in
                    // This is the call after `renameat2`.
                    if published.isJustNow { published.mode = Self.untappedMode(path) }
                    published.isJustNow = call == .renameat2
                }
                return .none
            } during: {
                try write()
            }
            #expect(published.withLock(\.mode) == 0o600)
            return try mode(path)
        }
        try await blocking {
            for count in 0..<writes { #expect(try narrowed { try number.write(count) } == "600") }
            for count in 0..<writes { #expect(try narrowed { try lamp.write(Lamp(brightness: count)) } == "600") }
            #expect(try narrowed { try lamp.update { $0.brightness += 1 } } == "600")
            // The same holds however long an update takes.
            #expect(unsafe chmod(path, 0o644) == 0)
            try lamp.update { lamp in
                lamp.brightness += 1
                _ = unsafe chmod(path, 0o600)
            }
            #expect(try mode(path) == "600")
        }
    }

    /// After its last look the library cannot know of a change before it replaces the file, so it makes up for the
    /// change afterwards.
    @Test(arguments: TemporaryDirectory.Place.allCases, [Durability.relaxed, .consistent])
    func G10_whatIsNarrowedAtTheLastMomentIsNarrowedAgain(
        place: TemporaryDirectory.Place, durability: Durability
    ) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let path = folder.path("c/v")
        let file = try GroupFile("v", in: container, initialValue: 1, durability: durability)
        try await blocking {
            for (count, narrower) in [0o600, 0o640, 0o444, 0].enumerated() {
                #expect(unsafe chmod(path, 0o644) == 0)
                try SystemCallTap.tapping { call, _ in
                    if call == .renameat2 { _ = unsafe chmod(path, mode_t(narrower)) }
                    return .none
                } during: {
                    try file.write(count + 2)
                }
                #expect(try mode(path) == String(narrower, radix: 8))
                #expect(unsafe chmod(path, 0o600) == 0)
                #expect(try folder.read("c/v") == "\(count + 2)\n")
            }
        }
    }

    /// Writes over a value that anybody may read, which somebody closes to others just before it is replaced; `next`
    /// decides about each call after that.
    private func writeWhileItIsClosed(
        _ folder: TemporaryDirectory, _ next: @escaping @Sendable (SystemCall) -> SystemCallFault
    ) async throws -> (file: GroupFile<Int>, error: GroupFileError?) {
        let container = try GroupContainer(directory: folder.path("c"))
        let path = folder.path("c/v")
        let file = try GroupFile("v", in: container, initialValue: 1, durability: .relaxed)
        #expect(unsafe chmod(path, 0o644) == 0)
        return await blocking {
            let isReplaced = Guarded(false)
            return SystemCallTap.tapping { call, _ in
                if isReplaced.withLock(\.self) { return next(call) }
                if call == .renameat2 {
                    _ = unsafe chmod(path, 0o600)
                    isReplaced.withLock { $0 = true }
                }
                return .none
            } during: {
                do throws(GroupFileError) {
                    try file.write(2)
                    return (file, nil)
                } catch {
                    return (file, error)
                }
            }
        }
    }

    /// The same where the file is taken from its group by giving it to another group.
    @Test(.enabled(if: CurrentProcess.effectiveUser == 0, "only root can give files to groups"))
    func G10_whatIsTakenFromItsGroupAtTheLastMomentStaysSo() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("c/v")
        let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 1)
        #expect(unsafe (chown(path, 0, 54321), chmod(path, 0o660)) == (0, 0))
        try await blocking {
            try SystemCallTap.tapping { call, _ in
                if call == .renameat2 { #expect(unsafe chown(path, 0, 0) == 0) }
                return .none
            } during: {
                try file.write(2)
            }
        }
        let status = try Path.linkStatus(of: path)
        #expect(status.group == 0 || status.permissions == 0o600, "\(status)")
    }

    /// A file that a foreign writer puts there meanwhile belongs to that writer.
    @Test func G10_whatIsNarrowedAtTheLastMomentNarrowsNoOtherFile() async throws {
        let folder = try TemporaryDirectory()
        let (path, new) = (folder.path("c/v"), folder.path("c/new"))
        let isSaved = Guarded(false)
        let (_, error) = try await writeWhileItIsClosed(folder) { _ in
            if isSaved.withLock({ saved in (saved, saved = true).0 }) { return .none }
            _ = unsafe (close(creat(new, 0o644)), chmod(new, 0o666), rename(new, path))
            return .none
        }
        #expect(error == nil)
        #expect(try mode(path) == "666")
    }

    /// If narrowing fails, the error tells the caller that the value is written, so that the caller does not count
    /// twice.
    @Test func G10_whatCannotBeNarrowedAgainIsTold() async throws {
        let folder = try TemporaryDirectory()
        let (file, error) = try await writeWhileItIsClosed(folder) { $0 == .fchmod ? .fail(.notPermitted) : .none }
        #expect(error?.code == .notDurable && error?.errno == EPERM, "\(error as Any)")
        #expect(error?.message.hasPrefix("the change is published, ") == true)
        #expect(try folder.read("c/v") == "2\n")
        #expect(file.value == 2)
        try await file.write(3)
        #expect(try folder.names(in: "c/.groupfile") == ["v.lock"])
    }

    // MARK: Several users

    /// Root may open what nobody else may, so this runs as another user.
    @Test(arguments: ["0777", "0400", "0077"])
    func G10_whateverTheUmaskTakesFromTheOwnerTheFirstWriteSucceeds(umask: String) async throws {
        guard let folder = try await OtherUsers.folder() else { return }
        let outcome = try await OtherUsers.make(folder, "umask \(umask)", .owner, 7, as: OtherUsers.member(54001))
        #expect(outcome.output == "made 7", "\(outcome)")
        #expect(try mode(folder.path("c/.groupfile")) == "700")
        #expect(try mode(folder.path("c/v")) == "600")
    }

    /// Two users of one group take turns; a third user, of another group, is refused.
    @Test func G10_usersOfOneGroupShareAValue() async throws {
        guard let folder = try await OtherUsers.folder() else { return }
        for (turn, number) in [61001, 61002, 61001].enumerated() {
            let outcome = try await OtherUsers.make(folder, "umask 077", .group, turn, as: OtherUsers.member(number))
            #expect(outcome.output == "made \(turn)", "\(outcome)")
            let status = try Path.linkStatus(of: folder.path("c/v"))
            #expect(status.group == 54321 && status.permissions == 0o660)
            #expect(try Path.linkStatus(of: folder.path("c/.groupfile/v.lock")).permissions == 0o660)
        }
        let stranger = try await OtherUsers.make(folder, "true", .group, 9, as: OtherUsers.member(61003, group: 54322))
        #expect(stranger.output == "permissionDenied", "\(stranger)")
        #expect(try folder.read("c/v") == "2\n")
    }

    /// A directory that is made above a container lets the container's group in, and has the group in whose directory
    /// it is made.
    @Test(arguments: umasks) func G10_theGroupOfANewContainerReachesIt(umask: String) async throws {
        guard let folder = try await OtherUsers.folderOfRoot() else { return }
        let prepare = "mkdir -m 2770 shared; chgrp 54321 shared; chmod 2770 shared"
        try await folder.shell(prepare)
        let guest = ["setpriv", "--reuid=61001", "--regid=54322", "--groups=54321", "--"]
        for (place, maker, above) in [("new", OtherUsers.member(61001), "2750"), ("shared/new", guest, "2770")] {
            let container = place + "/deep/c"
            for (turn, member) in [maker, OtherUsers.member(61002), maker].enumerated() {
                let outcome = try await OtherUsers.make(
                    folder, "umask \(umask)", .group, turn, as: member, container: container)
                #expect(outcome.output == "made \(turn)", "\(outcome)")
            }
            #expect(try mode(folder.path(place)) == above)
            #expect(try mode(folder.path(place + "/deep")) == above)
            #expect(try mode(folder.path(container)) == "2770")
            let alone = try await OtherUsers.make(
                folder, "umask \(umask)", .owner, 1, as: maker, container: place + "/own/c")
            #expect(alone.output == "made 1", "\(alone)")
            #expect(try mode(folder.path(place + "/own")) == "700")
        }
    }

    /// Users who come while another one makes the container, its `.groupfile` or the lock find these complete.
    @Test(arguments: umasks) func G10_usersWhoOpenANewContainerAtOnceShareIt(umask: String) async throws {
        try await joinAtOnce(
            [OtherUsers.member(61001), OtherUsers.member(61002), OtherUsers.member(61003)], umask: umask, in: ".")
    }

    /// Nor does it matter that all are the same user, that the umask takes permissions that this user needs, or how
    /// many directories are missing.
    @Test(arguments: ["0777", "0300", "0200"], [".", "above/it"])
    func G10_whoOpensANewContainerAtOnceFindsItWhateverTheUmask(umask: String, place: String) async throws {
        try await joinAtOnce(
            [OtherUsers.member(61001), OtherUsers.member(61001), OtherUsers.member(61001)], umask: umask, in: place)
    }

    private func joinAtOnce(_ users: [[String]], umask: String, in place: String) async throws {
        guard let folder = try await OtherUsers.folder() else { return }
        let start = "\((Moment.now + .milliseconds(500)).nanoseconds)"
        let script = "umask \(umask); exec \"$0\" join \(place) \(start) 100"
        try await withThrowingTaskGroup(of: Program.Outcome.self) { group in
            for user in users {
                let command = user + ["sh", "-ec", script, OtherUsers.probe]
                group.addTask {
                    try await Program.run(.command(command[0]), Array(command.dropFirst()), directory: folder.path)
                }
            }
            for try await outcome in group { #expect(outcome.output == "done", "\(outcome)") }
        }
        for index in 0..<100 { #expect(try folder.read("\(place)/\(index)/v") == "3\n") }
    }

    /// A user who shares a container that was private gives the directory and the values to the group; that user's next
    /// write does the rest.
    @Test func G10_aContainerThatIsSharedLaterIsItsGroups() async throws {
        guard let folder = try await OtherUsers.folderOfRoot() else { return }
        let owner = ["setpriv", "--reuid=61001", "--regid=54322", "--groups=54321", "--"]
        #expect(try await OtherUsers.make(folder, "umask 022", .owner, 1, as: owner).output == "made 1")
        try await OtherUsers.shell("chgrp 54321 c c/v; chmod 2770 c; chmod 660 c/v", as: owner, in: folder)
        for (turn, user) in [owner, OtherUsers.member(61002), owner].enumerated() {
            let outcome = try await OtherUsers.make(folder, "umask 022", .group, turn, as: user)
            #expect(outcome.output == "made \(turn)", "\(outcome)")
            if turn > 0 { try await OtherUsers.shell("rm c/v", as: user, in: folder) }
        }
        for place in ["c/.groupfile", "c/.groupfile/v.lock"] {
            let status = try Path.linkStatus(of: folder.path(place))
            #expect(status.group == 54321 && status.permissions & 0o060 == 0o060, "\(place): \(status)")
        }
        #expect(try await OtherUsers.make(folder, "umask 022", .group, 9, as: owner).output == "made 9")
        #expect(try Path.linkStatus(of: folder.path("c/v")).group == 54321)
        // A member of both groups makes new files for the group that the container is shared with.
        try await OtherUsers.shell("chgrp 54322 c/.groupfile; chmod 2770 c/.groupfile; rm c/v", in: folder)
        let both = ["setpriv", "--reuid=61002", "--regid=54322", "--groups=54321", "--"]
        #expect(try await OtherUsers.make(folder, "umask 022", .group, 10, as: both).output == "made 10")
        let status = try Path.linkStatus(of: folder.path("c/v"))
        #expect(status.group == 54321 && status.permissions == 0o660, "\(status)")
    }

    /// A member who opens the container as `.owner` takes the value from nobody.
    @Test func G10_aMemberWhoSharesLessLocksNobodyOut() async throws {
        guard let folder = try await OtherUsers.folder() else { return }
        let turns: [(Int, Sharing)] = [
            (61001, .group), (61001, .owner), (61002, .group), (61002, .owner), (61001, .group),
        ]
        for (turn, (number, sharing)) in turns.enumerated() {
            let outcome = try await OtherUsers.make(folder, "umask 077", sharing, turn, as: OtherUsers.member(number))
            #expect(outcome.output == "made \(turn)", "\(outcome)")
        }
    }

    /// A writer who has the file's group among other groups may not give the file away, but keeps its group, and so its
    /// bits.
    @Test func G10_aMemberOfTheGroupKeepsItsBits() async throws {
        guard let folder = try await OtherUsers.folderOfRoot() else { return }
        let prepare = "mkdir -m 777 c; echo 0 > c/v; chown 61002:54321 c/v; chmod 664 c/v"
        try await folder.shell(prepare)
        let member = ["setpriv", "--reuid=61001", "--regid=54322", "--groups=54321", "--"]
        #expect(try await OtherUsers.make(folder, "true", .owner, 1, as: member).output == "made 1")
        let status = try Path.linkStatus(of: folder.path("c/v"))
        #expect(status.owner == 61001 && status.group == 54321 && status.permissions == 0o664)
        // A user who is not in the file's group is refused.
        #expect(
            try await OtherUsers.make(folder, "true", .owner, 2, as: OtherUsers.member(61003, group: 54323)).output
                == "permissionDenied")
    }

    /// Otherwise the file would become the writer's, and its former owner would have to ask the writer for access.
    @Test(arguments: ["600", "200", "0"])
    func G10_whatItsOwnerAloneMayReadIsTakenFromHimByNobody(before: String) async throws {
        guard let folder = try await OtherUsers.folder() else { return }
        let (owner, member) = (OtherUsers.member(61001), OtherUsers.member(61002))
        #expect(try await OtherUsers.make(folder, "umask 077", .group, 1, as: owner).output == "made 1")
        try await OtherUsers.shell("chmod \(before) c/v", as: owner, in: folder)
        #expect(try await OtherUsers.make(folder, "true", .group, 2, as: member).output == "permissionDenied")
        #expect(try mode(folder.path("c/v")) == before)
        #expect(try Path.linkStatus(of: folder.path("c/v")).owner == 61001)
        #expect(try folder.names(in: "c/.groupfile") == ["v.lock"])
        // The owner may write a value that its permissions keep from being read, but cannot read it then.
        if before == "600" {
            #expect(try await OtherUsers.make(folder, "true", .group, 3, as: owner).output == "made 3")
        }
        // A group that may read a value may replace it.
        try await OtherUsers.shell("chmod 640 c/v", as: owner, in: folder)
        #expect(try await OtherUsers.make(folder, "true", .group, 4, as: member).output == "made 4")
    }

    /// In a user namespace, like that of a container without root, most users and groups have no number.
    @Test(
        .enabled(if: CurrentProcess.effectiveUser == 0, "only root can give files away"),
        .enabled(if: Namespaces.areAllowed, "unshare -Urm is not allowed here"),
        arguments: [("61002:0", "660", "660"), ("61002:54321", "664", "644"), ("61002:54321", "640", "600")])
    func G10_aFileOfAUserWithoutANumberIsReplaced(owner: String, before: String, after: String) async throws {
        let folder = try TemporaryDirectory()
        let prepare = "mkdir -m 777 c; echo 0 > c/v; chown \(owner) c/v; chmod \(before) c/v"
        try await folder.shell(prepare)
        #expect(try await OtherUsers.make(folder, "true", .owner, 1, as: ["unshare", "-Ur"]).output == "made 1")
        #expect(try mode(folder.path("c/v")) == after)
    }

    @Test func G10_anOwnersValueIsHisAlone() async throws {
        guard let folder = try await OtherUsers.folder() else { return }
        #expect(
            try await OtherUsers.make(folder, "umask 000", .owner, 1, as: OtherUsers.member(61001)).output == "made 1")
        #expect(
            try await OtherUsers.make(folder, "true", .owner, 9, as: OtherUsers.member(61002)).output
                == "permissionDenied")
        #expect(try folder.read("c/v") == "1\n")
        // Root writes in the owner's name: the file stays the owner's.
        if CurrentProcess.effectiveUser == 0 {
            #expect(try await OtherUsers.make(folder, "true", .owner, 2).output == "made 2")
            let status = try Path.linkStatus(of: folder.path("c/v"))
            #expect(status.owner == 61001 && status.permissions == 0o600)
        }
    }
}
