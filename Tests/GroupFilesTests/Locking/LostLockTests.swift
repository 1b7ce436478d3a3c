import Dispatch
import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Temporary files of writers that lose their lock, or are killed.
struct LostLockTests {
    /// Somebody removes `.groupfile`, and with it the lock that one thread holds; another thread gets the new one.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G1_twoThreadsNeverShareATemporaryFile(place: TemporaryDirectory.Place) async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: place)
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
            let control = folder.path("c/.groupfile")
            let (begun, goOn, ended) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
            )
            let isRemoved = Guarded(false)
            let goesOn = Guarded(false)
            SystemCallTap.tapping { call, _ in
                if call == .flock, isRemoved.withLock({ $0 }), !goesOn.withLock({ $0 }) {
                    // The first writer starts over, and waits for the second.
                    do { #expect(try folder.read("c/v") == "0\n") } catch { Issue.record(error) }
                    goesOn.withLock { $0 = true }
                    goOn.signal()
                }
                let isFirst = isRemoved.withLock { isRemoved in
                    if call != .renameat2 || isRemoved { return false }
                    isRemoved = true
                    return true
                }
                if !isFirst { return .none }
                do {
                    try FileManager.default.removeItem(atPath: control)
                    try SystemCalls.Thread.spawn(named: "second") {
                        SystemCallTap.tapping { call, _ in
                            if call == .write {
                                begun.signal()
                                goOn.wait()
                            }
                            return .none
                        } during: {
                            do throws(GroupFileError) { try file.write(2) } catch { Issue.record(error) }
                        }
                        ended.signal()
                    }
                    begun.wait()
                } catch {
                    Issue.record(error)
                }
                return .none
            } during: {
                // The write succeeds although its temporary file is gone.
                #expect(throws: Never.self) { try file.write(1) }
            }
            #expect(isRemoved.withLock { $0 })
            ended.wait()
            #expect(try folder.read("c/v") == "1\n")
            #expect(try file.read() == 1)
        }
    }

    /// A removal that took long enough for the directory to be exchanged is made in the new directory, and in no other.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_aRemovalLandsInTheDirectoryThatBearsThePath(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 0)
        try await file.write(1)
        try await blocking {
            let isExchanged = Guarded(false)
            try SystemCallTap.tapping { call, detail in
                guard call == .fstatat, detail == "v", !isExchanged.withLock({ ($0, $0 = true).0 }) else {
                    return .none
                }
                let (old, new) = (folder.path("c"), folder.path("d"))
                #expect(unsafe (rename(old, new), mkdir(old, 0o700)) == (0, 0))
                do { try folder.write("2", to: "c/v") } catch { Issue.record(error) }
                // After a shorter removal the library does not check the directory again.
                let end = Moment.now + .milliseconds(20)
                while Moment.now < end {}
                return .none
            } during: {
                try file.remove()
            }
            #expect(isExchanged.withLock { $0 })
        }
        #expect(try folder.read("d/v") == "1\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("c/v")))
    }

    /// The error blames the lock's file, not another directory in the path's place.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func whoKeepsRemovingTheLocksFileIsSpokenOf(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let control = folder.path("c/.groupfile")
        let fault: @Sendable (SystemCall, String) -> SystemCallFault = { call, detail in
            if call == .renameat2, detail.hasSuffix("exchange") {
                do {
                    try FileManager.default.removeItem(atPath: control)
                } catch {
                    Issue.record(error)
                }
            }
            return .none
        }
        var errors: [GroupFileError] = []
        SystemCallTap.tapping(fault) {
            do throws(GroupFileError) { try file.update { $0 += 1 } } catch { errors.append(error) }
        }
        for error in errors {
            #expect(error.code == .directoryKeepsChanging)
            #expect(error.message.contains("the lock file in .groupfile"))
        }
        #expect(errors.count == 1)
        #expect(try folder.read("c/v") == "0\n")
    }

    /// Another writer, whose name stands in the lock's file, makes its temporary file after the last sweep.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G6_whoWritesNothingSweepsEachTime(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        try folder.write("v.1-a.tmp\n", to: "c/.groupfile/v.lock")
        for _ in 0..<3 {
            try folder.write("5\n", to: "c/.groupfile/v.1-a.tmp")
            try file.update { _ in }
            #expect(!FileManager.default.fileExists(atPath: folder.path("c/.groupfile/v.1-a.tmp")))
        }
        #expect(try folder.read("c/.groupfile/v.lock") == "v.1-a.tmp\n")
    }

    /// Users remove a file to make room. A write that lacks room says so, and leaves nothing.
    @Test(arguments: TemporaryDirectory.Place.allCases, [Errno.noSpace, .quotaExceeded])
    func aRemovalNeedsNoRoom(place: TemporaryDirectory.Place, error: Errno) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        try folder.write("5", to: "c/v")
        let file = try GroupFile("v", in: container, initialValue: 0)
        try SystemCallTap.tapping { call, _ in
            call == .write || call == .pwrite ? .fail(error) : .none
        } during: {
            let thrown = #expect(throws: GroupFileError.self) { try file.write(6) }
            #expect(thrown?.errno == error.rawValue)
            #expect(try folder.read("c/v") == "5")
            try file.remove()
        }
        #expect(try container.currentNames() == [])
        try file.write(7)
        #expect(try folder.read("c/v") == "7\n")
    }

    /// A path may end in any name, and the lock file names the temporary file in a line.
    @Test(arguments: ["v", "a\nb", "a\r\nb", "a.tmp\nb"])
    func G6_whatIsLeftIsSweptWhateverTheName(name: String) throws {
        let folder = try TemporaryDirectory()
        func open() throws -> GroupFile<Int> {
            try GroupFile(path: folder.path(name), initialValue: 0, codec: .json)
        }
        func temporaries() throws -> [String] {
            try folder.names(in: ".groupfile").filter {
                $0.hasSuffix(".tmp")
            }
        }
        SystemCallTap.tapping { call, _ in
            call == .write || call == .unlinkat ? .fail(.inputOutput) : .none
        } during: {
            _ = #expect(throws: GroupFileError.self) { try open().write(0) }
        }
        #expect(try temporaries().count == 1)
        try open().write(1)
        #expect(try temporaries() == [])
        #expect(try folder.read(name) == "1\n")
    }

    /// Writers remember files that they may not remove for a while, as where the control directory is closed and opened
    /// again.
    @Test(arguments: [Errno.accessDenied, .notPermitted], TemporaryDirectory.Place.allCases)
    func G6_whatMayNotBeSweptIsSweptLater(error: Errno, place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        func temporaries() throws -> Int {
            try folder.names(in: "c/.groupfile").count {
                $0.hasSuffix(".tmp")
            }
        }
        try SystemCallTap.failing(.unlinkat, with: error) {
            for value in 1...3 { try file.write(value) }
        }
        #expect(try temporaries() == 3)
        try file.write(4)
        #expect(try temporaries() == 0)
        #expect(try folder.read("c/v") == "4\n")
    }

    /// Also where only the displaced file stays: without an exchange of names it gets a second name.
    @Test func G6_theSecondNameThatMayNotBeSweptIsSweptLater() throws {
        let folder = try TemporaryDirectory()
        let file = try GroupFile(
            "v", in: GroupContainer(directory: folder.path("c")), initialValue: 0, durability: .relaxed)
        func second() throws -> [String] {
            try folder.names(in: "c/.groupfile").filter {
                $0.hasSuffix(".old")
            }
        }
        try SystemCallTap.tapping { call, detail in
            if call == .renameat2 { return .fail(.invalid) }
            return call == .unlinkat && detail.hasSuffix(".old") ? .fail(.notPermitted) : .none
        } during: {
            for value in 1...2 { try file.write(value) }
        }
        #expect(try second().count == 2)
        try file.write(3)
        #expect(try second() == [])
        #expect(try folder.read("c/v") == "3\n")
    }

    /// The second name of a long name is too long for a file system, so a killed writer cannot have left such a file.
    @Test func G6_aNameThatIsTooLongKeepsNobodyFromWriting() throws {
        let folder = try TemporaryDirectory()
        let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 0)
        try folder.write(String(repeating: "a", count: 251) + ".tmp\n", to: "c/.groupfile/v.lock")
        try file.write(1)
        #expect(try folder.read("c/v") == "1\n")
    }

    /// A file stays under one writer's name, while another writer is about to take the lock that is kept open.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G6_whatStaysUnderANameIsSweptByTheNextWriter(place: TemporaryDirectory.Place) async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: place)
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
            try file.write(1)
            let (begun, goOn, ended) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
            )
            try SystemCalls.Thread.spawn(named: "second") {
                SystemCallTap.tapping { call, _ in
                    if call == .flock {
                        begun.signal()
                        goOn.wait()
                    }
                    guard call == .renameat2 else { return .none }
                    do {
                        let left = try folder.names(in: "c/.groupfile")
                        #expect(left.count { $0.hasSuffix(".tmp") } == 1, "\(left)")
                    } catch {
                        Issue.record(error)
                    }
                    return .none
                } during: {
                    do throws(GroupFileError) { try file.write(3) } catch { Issue.record(error) }
                }
                ended.signal()
            }
            begun.wait()
            let isFirst = Guarded(true)
            try SystemCallTap.tapping { call, detail in
                guard call == .unlinkat, detail.hasSuffix(".tmp"), isFirst.withLock({ exchange(&$0, with: false) })
                else {
                    return .none
                }
                return .fail(.notPermitted)
            } during: {
                try file.write(2)
            }
            goOn.signal()
            ended.wait()
            #expect(!isFirst.withLock { $0 })
            #expect(file.value == 3)
        }
    }
}
