import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G12: nothing of the user's is lost.
struct RejectedTests {
    private func kept(_ folder: TemporaryDirectory) throws -> [String: String] {
        let names = try Directory(path: folder.path("c/.groupfile")).names().filter { $0.contains("rejected") }
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

    /// Ten are kept, equal ones once, and then the oldest goes.
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
        // The one in the middle becomes the oldest: the others change. Times are coarse on some kernels.
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
}
