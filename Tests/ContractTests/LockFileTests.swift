import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// What the lock depends on: its file, and who has it open.
@Suite(.fewAtOnce)
struct LockFileTests {
    /// G5: where somebody has removed `.groupfile` or the lock's file, the lock that this process has open no longer
    /// locks anything.
    @Test(arguments: TemporaryDirectory.Place.allCases, [".groupfile", ".groupfile/v.lock"])
    func G5_aLockWhoseFileIsGoneLocksNothing(place: TemporaryDirectory.Place, removed: String) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, lockTimeout: .milliseconds(100))
        let other = try GroupFile("v", in: container, initialValue: 0)
        try await blocking {
            for round in 1...10 {
                try other.write(round)
                // At once, while the process still has that lock open.
                try FileManager.default.removeItem(atPath: folder.path("c/\(removed)"))
                let directory = try Directory(path: folder.path("c"))
                if removed == ".groupfile" { try directory.makeDirectory(".groupfile", permissions: 0o700) }
                let held = FileLock(try directory.open(".groupfile/v.lock", [.readWrite, .create], permissions: 0o600))
                let isHeld = try held.tryLock()
                #expect(isHeld)
                #expect(throws: GroupFileError.self) { try file.write(-round) }
                #expect(try folder.read("c/v") == "\(round)\n")
                held.unlock()
            }
        }
        try await other.write(11)
        #expect(try folder.read("c/v") == "11\n")
    }

    /// G11: the library does not write into a file that somebody has put in the lock's place by a hard link. A
    /// container that was copied by links shares its lock files with the copy.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G11_aLinkOfAnotherFileIsNoLock(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        try await file.write(1)
        #expect(try run("cp -al c copy", in: folder.path))
        let next = try await OtherUsers.make(folder, "true", .owner, 2)
        #expect(next.output == "made 2", "\(next)")
        try await GroupFile("w", in: container, initialValue: 0).remove()
        #expect(try run("echo text > notes; ln -f notes c/.groupfile/w.lock", in: folder.path))
        do {
            _ = try await blocking { try GroupFile("w", in: container, initialValue: 0) }
            Issue.record("it was taken for a lock")
        } catch let error as GroupFileError {
            let place = folder.path("c/.groupfile/w.lock")
            #expect(error.message.contains("\(place) is a hard link of another file: move it away"), "\(error)")
        }
        #expect(try folder.read("notes") == "text\n")
        #expect(try folder.read("copy/v") == "1\n" && folder.read("c/v") == "2\n")
    }

    private func run(_ script: String, in directory: String) throws -> Bool {
        let null = try FileDescriptor.open("/dev/null", .readWrite)
        let child = try ChildProcess.spawn(
            ["sh", "-ec", "cd '\(directory)'; \(script)"], input: null, environment: [], leadsGroup: false)
        return try child.wait() == .exited(0)
    }

    /// G5: somebody removes the lock's file while an update holds it, and another process updates meanwhile.
    @Test(arguments: ["rm -r .groupfile", "rm .groupfile/v.lock", "mv .groupfile moved"], [false, true])
    func G5_anUpdateThatLosesItsLockIsRepeated(removal: String, isAsynchronous: Bool) async throws {
        let folder = try TemporaryDirectory()
        let file = try GroupFile("v", in: try GroupContainer(directory: folder.path("c")), initialValue: 0)
        let probe = Program.path(ofProduct: "probe")
        let calls = Guarded(0)
        @Sendable func add(_ value: inout Int) throws {
            let isFirst = calls.increment() == 1
            // An update that takes less time is not checked.
            let end = Moment.now + .milliseconds(20)
            let script = "\(removal); '\(probe)' count . v 1 > /dev/null"
            if isFirst { #expect(try run(script, in: folder.path("c"))) }
            while Moment.now < end {}
            value += 1
        }
        if isAsynchronous {
            try await file.update { try add(&$0) }
        } else {
            try await blocking { try file.update { try add(&$0) } }
        }
        #expect(calls.withLock { $0 } == 2)
        #expect(try folder.read("c/v") == "2\n")
    }

    /// G9: a program that this process starts inherits none of the library's descriptors, not even in the middle of an
    /// update.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G9_programsInheritNothing(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let outcome = try await Program.run(.product("probe"), ["inherit", folder.path("c"), "v"])
        let links = outcome.output.split(separator: "\n").filter { $0.contains(" -> ") }
        // The program's own three, and the directory that it lists.
        #expect(links.count >= 4, "\(outcome)")
        let foreign = links.filter { link in
            ["inotify", "timerfd", folder.path].contains { link.contains($0) }
        }
        #expect(foreign == [])
    }
}
