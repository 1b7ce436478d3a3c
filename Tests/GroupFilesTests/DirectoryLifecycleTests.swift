import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Directories that come and go under files that are open.
@Suite(.endsInTime)
struct DirectoryLifecycleTests {
    /// A file that is being opened finds a new value, and notifies the other files; at that moment it may hold the last
    /// reference to one of them.
    @Test func filesMayGoWhileAnotherIsOpened() async throws {
        let folder = try TemporaryDirectory(on: .memory)
        let container = try GroupContainer(
            directory: folder.path("c"), access: .readWrite, sharing: .owner, usesNotifications: false)
        let files = Guarded<[GroupFile<String>]>([])
        let codec = GroupCodec<String>(
            encode: { Data($0.utf8) },
            decode: { data in
                let text = String(decoding: data, as: UTF8.self)
                // The first file that decodes the new text releases all files: nobody else holds them now.
                if text == "new" { _ = files.withLock { exchange(&$0, with: []) } }
                return text
            })
        for _ in 0..<1000 {
            let file = try GroupFile("v", in: container, initialValue: "old", codec: codec)
            files.withLock { $0.append(file) }
        }
        try folder.write("new", to: "c/v")
        let done = Log<Result<String, any Error>>()
        try Thread.spawn(named: "opener") {
            done.append(Result { try GroupFile("v", in: container, initialValue: "", codec: codec).value })
        }
        #expect(try await done.first { _ in true }?.get() == "new")
    }

    /// The other directory holds the same value, so no part of the state differs.
    @Test func aStateIsToldOnceWhereItsDirectoryIsExchanged() async throws {
        let folder = try TemporaryDirectory()
        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
        }
        for name in ["one", "two"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
            try folder.write("1", to: name + "/v")
        }
        try link("link", to: "one")
        try link("new", to: "two")
        let container = try GroupContainer(
            directory: folder.path("link"), access: .readWrite, sharing: .owner, usesNotifications: false)
        let file = try GroupFile("v", in: container, initialValue: 0)
        let told = Log<Int>()
        let telling = Task { for await state in file.states { told.append(state.value) } }
        #expect(await told.first { $0 == 1 } != nil)
        #expect(await eventually { file.waiterCount == 1 })
        #expect(unsafe rename(folder.path("new"), folder.path("link")) == 0)
        #expect(try await file.read() == 1)
        #expect(await eventually { file.waiterCount == 1 })
        try await file.write(2)
        #expect(await told.first { $0 == 2 } != nil)
        #expect(told.elements == [1, 2])
        telling.cancel()
        await telling.value
    }

    /// G9: descriptors that are kept open for the next change are closed with the last object that uses the directory,
    /// and not a moment later.
    @Test func keptLocksGoWithTheirDirectory() throws {
        let folder = try TemporaryDirectory()
        func isClosedAtOnce() throws -> Bool {
            // A round that takes longer than this does not count.
            let end = Moment.now + .milliseconds(50)
            try GroupFile("v", in: try GroupContainer(directory: folder.path("c")), initialValue: 0).write(1)
            while true {
                let isClosed = try folder.openDescriptors == 0
                if Moment.now >= end { return false }
                if isClosed { return true }
            }
        }
        var isClosed = false
        let deadline = Moment.now + .testDeadline
        while !isClosed, Moment.now < deadline { isClosed = try isClosedAtOnce() }
        #expect(isClosed)
    }

    /// Somebody moves the directory away just when an update reads the value: what it reads is the value that it replaces.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G12_aDirectoryThatIsMovedAwayDuringAnUpdateKeepsItsValue(place: TemporaryDirectory.Place) async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: place)
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: 0)
            try file.write(100)
            let (old, moved) = (folder.path("c"), folder.path("moved"))
            let isMoved = Guarded(false)
            try SystemCallTap.tapping { call, detail in
                guard call == .fstatat, detail == old + "/v" || detail == "v" else { return .none }
                isMoved.withLock { isMoved in
                    if !isMoved { _ = unsafe rename(old, moved) }
                    isMoved = true
                }
                return .none
            } during: { () throws(GroupFileError) in
                try file.update { $0 += 1 }
            }
            #expect(isMoved.withLock { $0 })
            // Where the change took more than 10 ms, the directory that was moved away is left alone.
            #expect(["100\n", "101\n"].contains(try folder.read("moved/v")))
            #expect(try folder.read("c/v") == "1\n")
        }
    }

    /// A shorter update may also change the directory that was moved away.
    @Test(arguments: [false, true], TemporaryDirectory.Place.allCases)
    func G4_aDirectoryThatIsMovedAwayDuringALongUpdateIsLeftAlone(
        isAsynchronous: Bool, place: TemporaryDirectory.Place
    ) async throws {
        let folder = try TemporaryDirectory(on: place)
        let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 0)
        let calls = Guarded(0)
        @Sendable func add(_ value: inout Int) throws {
            let isFirst = calls.increment() == 1
            let end = Moment.now + .milliseconds(20)
            if isFirst {
                try FileManager.default.moveItem(atPath: folder.path("c"), toPath: folder.path("moved"))
                try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
                try folder.write("40", to: "c/v")
            }
            while Moment.now < end {}
            value += 1
        }
        if isAsynchronous {
            try await file.update { try add(&$0) }
        } else {
            try await blocking { try file.update { try add(&$0) } }
        }
        #expect(calls.withLock { $0 } == 2)
        #expect(try folder.read("c/v") == "41\n")
        #expect(try folder.read("moved/v") == "0\n")
    }

    /// An error that a body throws passes through, even where it is of the same type as the library's own.
    @Test func G5_aBodyThatThrowsRunsOnceWhereTheDirectoryIsExchangedMeanwhile() async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let other = try GroupFile("w", in: GroupContainer(directory: folder.path("d")), initialValue: 0)
            try folder.write("no number", to: "d/w")
            let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 1)
            var runs = 0
            let error = #expect(throws: GroupFileError.self) {
                try file.update { value in
                    runs += 1
                    value = 2
                    try FileManager.default.moveItem(atPath: folder.path("c"), toPath: folder.path("c\(runs)"))
                    try FileManager.default.createDirectory(
                        atPath: folder.path("c"), withIntermediateDirectories: false)
                    _ = try other.read()
                }
            }
            #expect(error?.path == folder.path("d/w"))
            #expect(runs == 1)
            #expect(try folder.read("c1/v") == "1\n")
            #expect(!FileManager.default.fileExists(atPath: folder.path("c/v")))
        }
    }

    /// `states` also reports what an own write found out about the directory.
    @Test func G14_healthIsToldWhereAWriteMadeTheDirectory() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let states = Log<GroupFileHealth>()
        let subscription = file.sinkStates { states.append($0.health) }
        defer { subscription.cancel() }
        #expect(await states.first { $0 == .live } != nil)
        try FileManager.default.removeItem(atPath: folder.path("c"))
        #expect(await states.first { $0 == .waitingForDirectory } != nil)
        try await file.write(1)
        #expect(await states.reach(within: .seconds(5)) { $0.last == .live })
    }

    /// A directory is replaced by a link just when it is about to be watched.
    @Test func G4_aLinkThatComesWhileThePathIsFollowedIsWatched() async throws {
        let folder = try TemporaryDirectory()
        let old = folder.path("d")
        for (name, value) in [("d", "1"), ("other", "2")] {
            try FileManager.default.createDirectory(atPath: folder.path(name + "/c"), withIntermediateDirectories: true)
            try folder.write(value, to: name + "/c/v")
        }
        let moved = folder.path("moved")
        let isMoved = Guarded(false)
        let file = try SystemCallTap.tapping { call, detail in
            if call == .inotify_add_watch, detail == old,
                !isMoved.withLock({ exchange(&$0, with: true) })
            {
                _ = unsafe rename(old, moved)
                _ = unsafe symlink("moved", old)
            }
            return .none
        } during: {
            try GroupFile("v", in: GroupContainer(directory: folder.path("d/c")), initialValue: 0, access: .readOnly)
        }
        #expect(isMoved.withLock { $0 })
        #expect(file.value == 1)
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        _ = try await Program.run(.command("ln"), ["-sfn", "other", "d"], directory: folder.path)
        #expect(await told.first(within: .seconds(10)) { $0 == 2 } != nil)
    }
}
