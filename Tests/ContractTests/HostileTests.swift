import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G11: whatever stands in a value's place.
@Suite(.fewAtOnce)
struct HostileTests {
    /// What `sh` puts in the place of `c/v`.
    struct Thing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: String
        let code: GroupFileError.Code
        /// The command that making it needs; where that is missing, the test is left out.
        var needs = "sh"

        /// Writers leave alone what is not a file.
        var isFile: Bool { code != .notRegularFile }
    }

    static let things = [
        Thing(testDescription: "FIFO", script: "mkfifo n; mv n c/v", code: .notRegularFile),
        Thing(testDescription: "device", script: "mknod n c 1 5 2> err || exit 75; mv n c/v", code: .notRegularFile),
        Thing(
            testDescription: "device that cannot be opened",
            script: "mknod n c 5 0 2> err || exit 75; mv n c/v", code: .notRegularFile),
        Thing(testDescription: "directory", script: "rm c/v; mkdir c/v; touch c/v/w", code: .notRegularFile),
        Thing(
            testDescription: "socket",
            script: "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"n\")'; mv n c/v",
            code: .notRegularFile, needs: "python3"),
        Thing(testDescription: "link", script: "ln -s /etc/passwd n; mv n c/v", code: .notRegularFile),
        Thing(testDescription: "dangling link", script: "ln -s nowhere n; mv n c/v", code: .notRegularFile),
        Thing(testDescription: "1 TiB", script: "truncate -s 1T n; mv n c/v", code: .tooLarge),
        Thing(
            testDescription: "nested", script: "head -c 100000 /dev/zero | tr '\\0' '[' > n; mv n c/v",
            code: .undecodable),
        Thing(testDescription: "no UTF-8", script: "printf '\"\\377\\376\"' > n; mv n c/v", code: .undecodable),
        Thing(testDescription: "UTF-16", script: "printf '1\\0' > n; mv n c/v", code: .undecodable),
        Thing(testDescription: "NUL bytes", script: "truncate -s 9 n; mv n c/v", code: .undecodable),
        Thing(testDescription: "empty", script: ": > n; mv n c/v", code: .undecodable),
    ]

    /// Makes the thing; false if it cannot be made here.
    private func make(_ name: String, by script: String, in folder: TemporaryDirectory) async throws -> Bool {
        let exit = try await Program.run(.command("sh"), ["-ec", script], directory: folder.path).exit
        if exit == .code(75) {
            print("LEFT OUT, because it cannot be made here: \(name)")
            return false
        }
        #expect(exit == .code(0))
        return true
    }

    /// A typed error comes soon, the last good value stays, nothing follows or overwrites the thing, and watching goes
    /// on.
    @Test(arguments: things, TemporaryDirectory.Place.allCases)
    func G11_whateverIsInAValuesPlace(thing: Thing, place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        guard Tools.has(thing.needs) else { return }
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first { $0 == 1 } != nil)
        guard try await make(thing.testDescription, by: thing.script, in: folder) else { return }

        func code(_ body: () throws(GroupFileError) -> Void) -> GroupFileError.Code? {
            do throws(GroupFileError) {
                try body()
                return nil
            } catch {
                return error.code
            }
        }
        let isTold = await eventually(within: .beforeTheHeartbeat) {
            if case .invalid(let error) = file.status { error.code == thing.code } else { false }
        }
        #expect(isTold, "\(file.status)")
        // Other tests use the processor, too: one read that is as fast as promised is enough.
        let isSoon = (0..<20).contains { _ in
            let before = Moment.now
            #expect(code { () throws(GroupFileError) in _ = try file.read() } == thing.code)
            return Moment.now - before <= (CurrentProcess.hasThreadSanitizer ? .seconds(3) : .milliseconds(100))
        }
        #expect(isSoon)
        #expect(code { () throws(GroupFileError) in try file.update { $0 += 1 } } == thing.code)
        #expect(file.value == 1)
        let old = try Directory(path: folder.path("c")).status(of: "v")
        let written = code { () throws(GroupFileError) in try file.write(9) }
        if thing.isFile {
            #expect(written == nil)
            let kept = try Directory(path: folder.path("c/.groupfile")).status(of: "v.rejected")
            #expect(kept.identity == old.identity && kept.size == old.size)
        } else {
            #expect(written == .notRegularFile)
            #expect(code { () throws(GroupFileError) in try file.remove() } == .notRegularFile)
            #expect(try Directory(path: folder.path("c")).status(of: "v").identity == old.identity)
        }
        try await folder.shell("rm -rf c/v; echo 2 > n; mv n c/v")
        #expect(await told.first(within: .beforeTheHeartbeat) { $0 == 2 } != nil)
        #expect(Set(told.elements).isSubset(of: [1, 2, 9]))
    }

    /// Opening a FIFO releases a writer that waits there, which then writes to nobody; opening a device may do
    /// anything.
    @Test(arguments: [("mkfifo n", "FIFO"), ("mknod n c 1 5 2> err || exit 75", "device")])
    func G11_whatIsNoFileIsNotOpened(script: String, name: String) async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        guard try await make(name, by: script, in: folder) else { return }
        let inotify = try Inotify()
        _ = try inotify.add(folder.path("n"), mask: [InotifyMask(rawValue: UInt32(IN_OPEN)), .attributes])
        try await folder.shell("mv n c/v")
        let isTold = await eventually { if case .invalid = file.status { true } else { false } }
        #expect(isTold)
        await #expect(throws: GroupFileError.self) { try await file.read() }
        await #expect(throws: GroupFileError.self) { try await file.update { $0 += 1 } }
        await #expect(throws: GroupFileError.self) { try await file.write(2) }
        await #expect(throws: GroupFileError.self) { try await file.remove() }
        #expect(try GroupFile("v", in: container, initialValue: 3, access: .readOnly).status != .missing)
        // This is the first thing that happens to the file.
        try await folder.shell("chmod 640 c/v")
        var events = [UInt8](repeating: 0, count: 4096)
        let count = try inotify.read(into: &events)
        let masks = stride(from: 4, to: count, by: 16).map { UInt32(events[$0]) }
        #expect(masks == [InotifyMask.attributes.rawValue])
    }

    /// Each write to the FIFO is an event with the value's name, as if a foreign writer were at work.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G11_aFIFOThatOthersUseIsTold(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        let writer = try Program(
            .command("sh"),
            ["-c", "mkfifo n; exec 3<> n; mv n c/v; while :; do echo >&3; read x <&3; sleep 0.005; done"],
            directory: folder.path)
        let isTold = await eventually { if case .invalid = file.status { true } else { false } }
        #expect(isTold)
        await #expect(throws: GroupFileError.self) { try await file.read() }
        withExtendedLifetime(writer) {}
    }

    /// The error names what is there.
    @Test(arguments: [
        ("mknod n c 5 0 2> err || exit 75; mv n c/v", "a device"), ("truncate -s 9 n; mv n c/v", "NUL bytes"),
    ])
    func G11_theErrorNamesWhatIsThere(script: String, name: String) async throws {
        let folder = try TemporaryDirectory()
        let file = try GroupFile("v", in: try GroupContainer(directory: folder.path("c")), initialValue: 1)
        guard try await make(name, by: script, in: folder) else { return }
        let error = await #expect(throws: GroupFileError.self) { try await file.read() }
        #expect(error?.message.contains(name) == true, "\(String(describing: error))")
    }

    /// Anybody who may write a file may give it any time; ext4 knows times until 2446, tmpfs knows all.
    @Test(arguments: ["-99999999999", "10000000000", "9000000000000000"], TemporaryDirectory.Place.allCases)
    func G11_noTimeOfAFileCrashes(time: String, place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let file = try GroupFile("v", in: try GroupContainer(directory: folder.path("c")), initialValue: 1)
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        try await folder.shell("echo 2 > n; touch -d @\(time) n; mv n c/v; touch -d @\(time) c")
        #expect(await told.first(within: .beforeTheHeartbeat) { $0 == 2 } != nil)
        try await file.update { $0 += 1 }
        #expect(try await file.read() == 3)
    }

    /// Otherwise, anybody who may write in the container could lead a writer anywhere by such a link.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G11_aLinkInPlaceOfTheControlDirectoryLeadsNobodyAway(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let file = try GroupFile("v", in: try GroupContainer(directory: folder.path("c")), initialValue: 1)
        try await folder.shell("mkdir other; rm -r c/.groupfile; ln -s ../other c/.groupfile")
        await #expect(throws: GroupFileError.self) { try await file.write(2) }
        #expect(try folder.names(in: "other") == [])
        #expect(try folder.read("c/v") == "1\n")
        try await folder.shell("rm c/.groupfile")
        try await file.write(3)
        #expect(try folder.read("c/v") == "3\n")
    }

    /// The last value stays until the path leads somewhere again, or certainly to nothing.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G11_aWayThatLeadsOnWithoutEndIsNoMissingValue(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell("mkdir d; echo 1 > d/v; ln -s d c")
        let container = try GroupContainer(directory: folder.path("c"), access: .readOnly)
        let file = try GroupFile("v", in: container, initialValue: 0, access: .readOnly)
        let states = Log<GroupFileState<Int>>()
        let subscription = file.sinkStates { states.append($0) }
        defer { subscription.cancel() }
        #expect(await states.first { $0.status == .current } != nil)
        try await folder.shell("ln -sfn c c")
        let bad = await states.first(within: .beforeTheHeartbeat) { $0.status != .current }
        #expect(bad?.status.isEndless == true && bad?.value == 1, "\(file.status)")
        try await folder.shell("rm c")
        #expect(await eventually(within: .beforeTheHeartbeat) { file.status == .missing && file.value == 0 })
        try await folder.shell("ln -s c c")
        #expect(await eventually(within: .beforeTheHeartbeat) { file.status.isEndless })
        try await folder.shell("ln -sfn d c")
        #expect(await eventually(within: .beforeTheHeartbeat) { file.status == .current && file.value == 1 })
    }

    @Test(arguments: [
        "", ".", "..", ".v", "a/b", "/v", "a\0b", "a\nb", "a\u{7F}", "a\u{85}", String(repeating: "x", count: 201),
        String(repeating: "é", count: 101),
    ])
    func G11_namesThatAreNoneAreRefused(name: String) async throws {
        let folder = try TemporaryDirectory()
        func isRefused(_ body: () throws(GroupFileError) -> Void) -> Bool {
            do throws(GroupFileError) {
                try body()
                return false
            } catch {
                return error.code == .invalidName
            }
        }
        #expect(isRefused { () throws(GroupFileError) in _ = try GroupContainer(identifier: name, root: folder.path) })
        let directory = try GroupContainer(identifier: String(repeating: "x", count: 200), root: folder.path)
        for container in [directory, .inMemory()] {
            #expect(isRefused { () throws(GroupFileError) in _ = try GroupFile(name, in: container, initialValue: 0) })
            #expect(isRefused { () throws(GroupFileError) in _ = try container.file(named: name, as: Int.self) })
            #expect(isRefused { () throws(GroupFileError) in try container.removeFile(named: name) })
        }
        #expect(try Directory(path: directory.path).names() == [])
    }

    /// Neither a reader nor a writer follows such a link, where the kernel does not.
    @Test(arguments: ["get ./all/link", "set ./all/link 2", "update ./all/link -- echo 2"])
    func G11_noLinkOfAnothersIsFollowedWhereAllMayWrite(command: String) async throws {
        guard let folder = try await OtherUsers.folderOfRoot() else { return }
        try await OtherUsers.shell("echo 1 > roots; mkdir -m 1777 all; ln -s ../roots all/own", in: folder)
        try await OtherUsers.shell("ln -s ../roots all/link", as: OtherUsers.member(61001), in: folder)
        if try await OtherUsers.run(["cat", "all/link"], in: folder).exit == .code(0) {
            return print("LEFT OUT, because fs.protected_symlinks is not set")
        }
        let words = command.split(separator: " ").map(String.init)
        let program = Program.path(ofProduct: "watch-value")
        #expect(try await OtherUsers.run([program] + words, in: folder).exit == .code(77))
        #expect(try folder.read("roots") == "1\n")
        #expect(try await OtherUsers.run([program, "get", "./all/own"], in: folder).output == "1")
    }

    /// Where everybody may write, the control directory may belong to another user, who could exchange what root
    /// writes.
    @Test(arguments: ["700", "711", "777"])
    func G11_rootPutsNothingIntoAnothersControlDirectoryWhereAllMayWrite(mode: String) async throws {
        guard let folder = try await OtherUsers.folderOfRoot() else { return }
        try await OtherUsers.shell("mkdir -m 1777 all; echo 1 > all/roots", in: folder)
        let program = Program.path(ofProduct: "watch-value")
        try await OtherUsers.shell(
            "mkdir -m \(mode) all/.groupfile; \(program) set ./all/members 1", as: OtherUsers.member(61001), in: folder)
        let outcome = try await OtherUsers.run([program, "set", "./all/roots", "2"], in: folder)
        #expect(outcome.exit == .code(77))
        let cause = "/all/.groupfile belongs to user 61001, who could exchange what root writes"
        #expect(outcome.errors.contains(cause), "\(outcome)")
        #expect(try folder.read("all/roots") == "1\n")
        let doctor = try await OtherUsers.run([program, "doctor", "--container", "all"], in: folder)
        #expect(doctor.output.contains(cause), "\(doctor)")
    }
}

extension GroupFileStatus {
    fileprivate var isEndless: Bool {
        if case .invalid(let error) = self { error.code == .system && error.errno == ELOOP } else { false }
    }
}
