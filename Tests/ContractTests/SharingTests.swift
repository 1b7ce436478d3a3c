import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G10, where some open one directory for its owner and others open it for its group.
struct SharingTests {
    /// This holds within one process, too, in whichever order the openers come.
    @Test(arguments: [[Sharing.owner, .group], [.group, .owner]], TemporaryDirectory.Place.allCases)
    func G10_eachOpenerMakesFilesOfItsOwnSharing(order: [Sharing], place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let byPath = folder.path("c/v")
        let files = try order.map { sharing in
            let container = try GroupContainer(directory: folder.path("c"), sharing: sharing)
            return (sharing, try GroupFile("v", in: container, initialValue: 0))
        }
        let named = try GroupFile(path: byPath, initialValue: 0, codec: .json)
        let ofDirectory = Sharing(permissions: try Path.status(of: folder.path("c")).permissions)
        for (sharing, file) in files + [(ofDirectory, named)] {
            try file.remove()
            try file.write(1)
            #expect(try mode(byPath) == (sharing == .owner ? "600" : "660"))
        }
        #expect(try mode(folder.path("c/.groupfile/v.lock")) == "660")
        #expect(try mode(folder.path("c/.groupfile")) == "2770")
    }

    /// Where a sandbox lets nobody set the set-group-ID bit, `.groupfile` still has it, from the directory that it is
    /// made in.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G10_whoMayNotSetTheBitSharesTheLocksAllTheSame(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"), sharing: .group)
        let isRefused = Guarded(false)
        let file = try SystemCallTap.tapping { call, _ in
            if call == .mkdirat { isRefused.withLock { $0 = true } }
            let isIt = call == .fchmod && isRefused.withLock { exchange(&$0, with: false) }
            return isIt ? .fail(.notPermitted) : .none
        } during: {
            try GroupFile("v", in: container, initialValue: 1)
        }
        try file.write(2)
        #expect(try mode(folder.path("c/.groupfile")) == "2770")
        #expect(try mode(folder.path("c/.groupfile/v.lock")) == "660")
        #expect(!isRefused.withLock { $0 })
    }

    /// An opener that makes its own files for its owner alone leaves the locks to the group.
    @Test(arguments: [true, false], TemporaryDirectory.Place.allCases)
    func G10_noOpenerTakesTheLockFromTheGroup(isMadeByGroup: Bool, place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        if isMadeByGroup {
            let container = try GroupContainer(directory: folder.path("c"), sharing: .group)
            _ = try GroupFile("v", in: container, initialValue: 0)
        } else {
            try FileManager.default.createDirectory(atPath: folder.path("c"), withIntermediateDirectories: false)
            #expect(unsafe chmod(folder.path("c"), 0o2770) == 0)
        }
        let file = try GroupFile("v", in: try GroupContainer(directory: folder.path("c")), initialValue: 0)
        try file.write(1)
        #expect(try mode(folder.path("c/v")) == (isMadeByGroup ? "660" : "600"))
        #expect(try mode(folder.path("c/.groupfile/v.lock")) == "660")
        #expect(try mode(folder.path("c/.groupfile")) == "2770")
    }

    /// Nobody says how a file that is named by its path is shared: its directory decides, or, where that is made first,
    /// the directory in which it is made.
    @Test(arguments: [Sharing.owner, .group], TemporaryDirectory.Place.allCases)
    func G10_aFileByItsPathIsSharedAsItsDirectoryIs(sharing: Sharing, place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let directory = try GroupContainer(directory: folder.path("c"), sharing: sharing).path
        for name in ["v", "made/below/v"] {
            let file = try GroupFile(path: "\(directory)/\(name)", initialValue: 0, codec: .json)
            try file.write(1)
            #expect(try mode(file.path) == (sharing == .owner ? "600" : "660"))
        }
        for name in [".groupfile", "made", "made/below", "made/below/.groupfile"] {
            #expect(try mode("\(directory)/\(name)") == (sharing == .owner ? "700" : "2770"), "\(name)")
        }
    }

    /// Nobody says how the container of a group value or of defaults is shared: the container that is there decides.
    @Test func G10_groupValuesAndDefaultsAreSharedAsTheirContainerIs() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryDirectory()
            folder.holdContainers()
            for sharing in [Sharing.owner, .group] { try SharingTests().share(sharing) }
        }
    }

    private func share(_ sharing: Sharing) throws {
        let group = "group.example.\(sharing)"
        let path = try GroupContainer(identifier: group, sharing: sharing).path
        GroupValue(wrappedValue: 1, "number", group: group).wrappedValue = 2
        let defaults = try GroupDefaults(suiteName: group)
        try defaults.set(true, forKey: "key")
        try defaults.adopt(["adopted": 1])
        for name in ["number", "key", "adopted", ".groupfile/number.lock", ".groupfile/key.lock"] {
            #expect(try mode(path + "/" + name) == (sharing == .owner ? "600" : "660"), "\(name)")
        }
        #expect(try mode(path + "/.groupfile") == (sharing == .owner ? "700" : "2770"))
    }
}
