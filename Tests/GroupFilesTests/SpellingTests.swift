import Foundation
import GroupFiles
import TestSupport
import Testing

/// What Swift calls equal, and the file system does not.
struct SpellingTests {
    /// A directory moves from a name with é as one letter to one with e and an accent, where somebody waits for it.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_aDirectoryThatIsSpeltAnewIsFollowed(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let (one, two) = (folder.path("caf\u{E9}"), folder.path("cafe\u{301}"))
        let waiting = try GroupFile(
            "v", in: try GroupContainer(directory: two, access: .readOnly), initialValue: 0)
        let values = Log<Int>()
        let subscription = waiting.sink { values.append($0) }
        let file = try GroupFile("v", in: try GroupContainer(directory: one), initialValue: 0)
        try await file.write(5)
        // A URL would spell it in its own way.
        try #require(unsafe rename(one, two) == 0)
        #expect(await values.first(within: .seconds(20)) { $0 == 5 } != nil)
        try await GroupFile("v", in: try GroupContainer(directory: two), initialValue: 0).write(7)
        #expect(await values.first(within: .seconds(20)) { $0 == 7 } != nil)
        subscription.cancel()
        withExtendedLifetime(file) {}
    }
}
