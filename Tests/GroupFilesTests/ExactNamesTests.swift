import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Names are bytes to the file system, whatever Swift calls equal, or one character.
struct ExactNamesTests {
    @Test func containersWhosePathsLookEqualAreTwo() throws {
        let folder = try TemporaryDirectory()
        let composed = try GroupContainer(directory: folder.path("caf\u{E9}"))
        let decomposed = try GroupContainer(directory: folder.path("cafe\u{301}"))
        let first = try GroupFile("v", in: composed, initialValue: 1)
        let second = try GroupFile("v", in: decomposed, initialValue: 2)
        #expect(first.value == 1)
        #expect(second.value == 2)
        #expect(try folder.read("caf\u{E9}/v") == "1\n")
        #expect(try folder.read("cafe\u{301}/v") == "2\n")
    }

    /// With an accent after it, a slash or a dot is another character to Swift, and the same to the file system.
    @Test(arguments: ["a/\u{301}b", "/\u{301}", ".\u{301}a"])
    func G11_anAccentHidesNothing(name: String) throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let error = #expect(throws: GroupFileError.self) { try GroupFile(name, in: container, initialValue: 0) }
        #expect(error?.code == .invalidName)
        let identifier = #expect(throws: GroupFileError.self) {
            try GroupContainer(identifier: name, root: folder.path)
        }
        #expect(identifier?.code == .invalidName)
    }
}
