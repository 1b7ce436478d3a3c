import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Values that are removed where there is no container, or where it cannot be looked at.
struct RemovalTests {
    /// The ways to remove the value `v` of a container.
    enum Way: CaseIterable, Sendable {
        case remove, asyncRemove, groupValue, removeFile, removeObject, setNil

        func callAsFunction(_ file: GroupFile<Int>, in container: GroupContainer) async throws {
            switch self {
            case .remove: try { () throws in try file.remove() }()
            case .asyncRemove: try await file.remove()
            case .groupValue: try await GroupValue(wrappedValue: 0, "v", in: container).projectedValue.remove()
            case .removeFile: try container.removeFile(named: "v")
            case .removeObject: try GroupDefaults(container: container).removeObject(forKey: "v")
            case .setNil: try GroupDefaults(container: container).set(nil, forKey: "v")
            }
        }
    }

    @Test(arguments: TemporaryDirectory.Place.allCases, Way.allCases)
    func whereThereIsNoContainerNoneIsMade(place: TemporaryDirectory.Place, remove: Way) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        try await file.write(5)
        try FileManager.default.removeItem(atPath: folder.path("c"))
        try await remove(file, in: container)
        #expect(!FileManager.default.fileExists(atPath: folder.path("c")))
        if remove == .remove || remove == .asyncRemove {
            #expect(file.status == .missing)
            #expect(file.value == 0)
        }
        try await file.write(6)
        #expect(try folder.read("c/v") == "6\n")
    }

    /// Another program removes the container while the lock is taken, or the value is looked at or removed.
    @Test(arguments: [(SystemCall.openat, "v.lock"), (.fstatat, "v"), (.unlinkat, "v")])
    func aContainerThatIsRemovedMeanwhileIsNotMadeAnew(at step: (call: SystemCall, detail: String)) async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        try folder.write("5", to: "c/v")
        let file = try GroupFile("v", in: container, initialValue: 0)
        try await blocking {
            let isRemoved = Guarded(false)
            try SystemCallTap.tapping { call, detail in
                if call == step.call, detail == step.detail, !isRemoved.withLock({ ($0, $0 = true).0 }) {
                    do { try FileManager.default.removeItem(atPath: folder.path("c")) } catch { Issue.record(error) }
                }
                return .none
            } during: {
                try file.remove()
            }
            #expect(isRemoved.withLock { $0 })
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("c")))
        #expect(file.status == .missing)
        #expect(file.value == 0)
    }

    enum Meanwhile: CaseIterable, Sendable { case makesIt, removesIt }

    /// Another program makes the directory, or removes it, before any of the calls of which the removal consists.
    @Test(.endsInTime, arguments: [true, false], Meanwhile.allCases)
    func atNoMomentDoesADirectoryThatComesOrGoesMatter(isInContainer: Bool, other: Meanwhile) async throws {
        try await blocking {
            var moment = 0
            while true {
                let folder = try TemporaryDirectory()
                let directory = folder.path("c")
                let file =
                    if isInContainer {
                        try GroupFile("v", in: GroupContainer(directory: directory), initialValue: 0)
                    } else {
                        try GroupFile(path: directory + "/v", initialValue: 0, codec: .json)
                    }
                if !isInContainer { try file.write(0) }
                if other == .makesIt { try FileManager.default.removeItem(atPath: directory) }
                let calls = Guarded(0)
                try SystemCallTap.tapping { [moment] _, _ in
                    if calls.withLock({ ($0, $0 += 1).0 }) != moment { return .none }
                    do {
                        switch other {
                        case .makesIt: try Directory(path: folder.path).makeDirectory("c", permissions: 0o700)
                        case .removesIt: try FileManager.default.removeItem(atPath: directory)
                        }
                    } catch {
                        Issue.record(error, "before call \(moment)")
                    }
                    return .none
                } during: { () throws(GroupFileError) in
                    try file.remove()
                }
                if calls.withLock({ $0 }) <= moment { break }
                #expect(
                    FileManager.default.fileExists(atPath: directory) == (other == .makesIt), "before call \(moment)")
                moment += 1
            }
            #expect(moment > 2)
        }
    }

    /// A value that cannot be looked at may well be there: no call reports that it was removed.
    @Test(arguments: Way.allCases, [Errno.tooManyLinks, .notDirectory])
    func whatCannotBeLookedAtIsNotCalledRemoved(remove: Way, error: Errno) async throws {
        let folder = try TemporaryDirectory()
        let (path, aside) = (folder.path("c"), folder.path("aside"))
        let container = try GroupContainer(directory: path)
        let file = try GroupFile("v", in: container, initialValue: 0)
        try await file.write(5)
        try FileManager.default.moveItem(atPath: path, toPath: aside)
        if error == .tooManyLinks {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        } else {
            try folder.write("", to: "c")
        }
        let thrown = await #expect(throws: GroupFileError.self) { try await remove(file, in: container) }
        #expect(thrown?.errno == error.rawValue)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: aside, toPath: path)
        #expect(try await file.read() == 5)
    }

    /// Where only the directory cannot be synced the change has been made, and the error says no more than that.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func aRemovalWhoseDirectoryCannotBeSyncedHasBeenMade(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .durable)
        try file.write(5)
        let thrown = #expect(throws: GroupFileError.self) {
            try SystemCallTap.failing(.fsync, with: .inputOutput) { () throws(GroupFileError) in
                try file.remove()
            }
        }
        #expect(thrown?.code == .notDurable && thrown?.errno == Errno.inputOutput.rawValue)
        #expect(thrown?.message.hasPrefix("the change is published, but syncing its directory failed") == true)
        #expect(file.value == 0 && file.status == .missing)
        #expect(!FileManager.default.fileExists(atPath: folder.path("c/v")))
    }
}
