import Foundation
import GroupFiles
import TestSupport
import Testing

struct RemovedKeyTests {
    private struct Lamp: Codable, Sendable, Equatable {
        var a: Int
        var b: Int?
    }

    /// A foreign writer removes a key that we do not know, right after our own write carried it over: the key must not
    /// come back with our next write, which may rely on knowing the file's content.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G12_aKeyThatAForeignWriterRemovedStaysAway(place: TemporaryDirectory.Place) async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: place)
            let container = try GroupContainer(directory: folder.path("c"))
            let file = try GroupFile("v", in: container, initialValue: Lamp(a: 0), durability: .relaxed)
            for _ in 0..<40 {
                try folder.replace("c/v", with: #"{"a":1,"u":2}"# + "\n")
                try file.write(Lamp(a: 1))
                #expect(try folder.read("c/v").contains("u"))
                // The new text is as long as the old one, so that the size does not reveal the change.
                try folder.replace("c/v", with: #"{"a":1,"b":2}"# + "\n")
                try file.write(Lamp(a: 3, b: 4))
                #expect(try folder.read("c/v") == #"{"a":3,"b":4}"# + "\n")
            }
        }
    }
}
