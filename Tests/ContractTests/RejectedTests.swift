import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G12: nothing of the user's is lost.
struct RejectedTests {
    private func kept(_ folder: TemporaryDirectory) throws -> [String: String] {
        let names = try folder.names(in: "c/.groupfile").filter { $0.contains("rejected") }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try folder.read("c/.groupfile/" + $0)) })
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G12_whatDoesNotDecodeIsLeftAloneByUpdates(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        try folder.write("precious", to: "c/v")
        var isCalled = false
        #expect(throws: GroupFileError.self) { try file.update { _ in isCalled = true } }
        #expect(!isCalled)
        #expect(try folder.read("c/v") == "precious")
        #expect(try kept(folder) == [:])
        // Opening does not overwrite it either.
        let other = try GroupFile("v", in: container, initialValue: 2)
        #expect(other.value == 2)
        #expect(try folder.read("c/v") == "precious")
    }

    /// Ten are kept, equal ones only once; beyond that, the oldest goes.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G12_whatABlindWriteDisplacesIsKept(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        func displace(_ text: String) async throws {
            try folder.write(text, to: "c/v")
            try await file.write(2)
            #expect(try folder.read("c/v") == "2\n")
        }
        for index in 0..<10 {
            try await displace("precious \(index)")
            try await displace("precious 0")
        }
        var all = ["v.rejected": "precious 0"]
        for index in 1..<10 { all["v.rejected.\(index)"] = "precious \(index)" }
        #expect(try kept(folder) == all)
        try await displace("precious 5")
        #expect(try kept(folder) == all)
        // Changing the others makes the one in the middle the oldest. Times are coarse on some kernels.
        let oldest = "v.rejected.4"
        func changed(_ name: String) throws -> Int64 {
            try Path.linkStatus(of: folder.path("c/.groupfile/" + name)).changed
        }
        for name in all.keys where name != oldest {
            let isNewer = try await eventually {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: folder.path("c/.groupfile/" + name))
                return try changed(name) > changed(oldest)
            }
            #expect(isNewer)
        }
        try await displace("precious 10")
        all[oldest] = "precious 10"
        #expect(try kept(folder) == all)
    }

    /// Permissions may keep even the owner from reading a value. Our own values inherit such permissions, and are not a
    /// user's content. Root may read everything, so the tap refuses what the owner would be refused.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G12_ownValuesThatNobodyMayReadAreNotKept(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        let control = try Directory(path: folder.path("c/.groupfile"))
        try folder.write("precious", to: "c/v")
        try file.write(2)
        #expect(unsafe chmod(folder.path("c/v"), 0) == 0)
        try SystemCallTap.tapping { call, name in
            guard call == .openat else { return .none }
            do throws(Errno) {
                return try control.status(of: name).permissions & 0o400 == 0 ? .fail(.accessDenied) : .none
            } catch {
                return .none
            }
        } during: {
            for value in 3...15 { try file.write(value) }
            #expect(try kept(folder) == ["v.rejected": "precious"])
            #expect(try Path.status(of: folder.path("c/v")).permissions == 0)
            // A user's content is kept all the same, unchanged and once.
            for _ in 0..<2 {
                try folder.write("sealed", to: "sealed")
                #expect(unsafe chmod(folder.path("sealed"), 0) == 0)
                #expect(unsafe rename(folder.path("sealed"), folder.path("c/v")) == 0)
                try file.write(16)
            }
        }
        #expect(try control.status(of: "v.rejected.1").permissions == 0)
        #expect(unsafe chmod(folder.path("c/.groupfile/v.rejected.1"), 0o600) == 0)
        #expect(try kept(folder) == ["v.rejected": "precious", "v.rejected.1": "sealed"])
        #expect(unsafe chmod(folder.path("c/v"), 0o600) == 0)
        #expect(try folder.read("c/v") == "16\n")
    }

    /// The foreign writer has only emptied the file so far, so the file equals what is kept from another time. It is
    /// kept in place of that, so that what its writer writes then has a name.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G12_whatIsStillBeingWrittenIsKeptInPlaceOfItsEqual(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 1)
        try folder.write("", to: "c/v")
        try await file.write(2)
        #expect(try kept(folder) == ["v.rejected": ""])
        let writer = try FileDescriptor.open(folder.path("c/v"), [.writeOnly, .truncate])
        try await file.write(3)
        try writer.writeAll(Array("precious".utf8))
        #expect(try kept(folder) == ["v.rejected": "precious"])
        #expect(try folder.read("c/v") == "3\n")
    }
}
