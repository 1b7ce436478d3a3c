import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// To the file system names are bytes, whatever Swift considers equal, or a single character.
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

    /// The slash before the accent is a slash: `..` leads out of the directory behind it, and no farther.
    @Test func G4_aPathIsTakenApartAtEachSlash() async throws {
        let folder = try TemporaryDirectory()
        let script = "mkdir -p r/\u{301}b; echo 1 > v; echo 2 > r/v; echo 3 > r/\u{301}b/\u{301}v"
        try await folder.shell(script)
        for (path, value) in [("r/\u{301}b/../v", 2), ("r/\u{301}b/\u{301}v", 3)] {
            let file = try GroupFile(path: folder.path(path), initialValue: 0, codec: .json)
            #expect(file.value == value)
            let seen = Log<Int>()
            let subscription = file.sink { seen.append($0) }
            defer { subscription.cancel() }
            try folder.write("7", to: path)
            #expect(await seen.first(within: .beforeTheHeartbeat) { $0 == 7 } != nil)
        }
        let new = try GroupContainer(directory: folder.path("n/\u{301}c"))
        #expect(try new.currentNames() == [])
    }

    /// Once repaired, such a name would be another name: a link that leads to it is not followed, and no value is made
    /// elsewhere.
    @Test func G11_linksToNamesThatAreNotUTF8AreTold() async throws {
        let folder = try TemporaryDirectory()
        let script = #"n=$(printf 'x\377'); mkdir "$n"; printf 1 > "$n/v"; ln -s "$n/v" l; ln -s "$n" d; printf 2 > v"#
        try await folder.shell(script)
        let file = try GroupFile(path: folder.path("l"), initialValue: 0, codec: .json)
        let read = #expect(throws: GroupFileError.self) { try file.read() }
        #expect(read?.code == .system)
        #expect(read?.errno == Errno.illegalByteSequence.rawValue)
        #expect(read?.message.contains("not UTF-8") == true)
        let container = try GroupContainer(directory: folder.path("d"))
        for write in [{ () throws in try file.write(3) }, { try container.file(named: "v", initialValue: 0).write(3) }]
        {
            let error = #expect(throws: GroupFileError.self, performing: write)
            #expect(error?.code == .system)
            #expect(error?.message.contains("not UTF-8") == true)
        }
        #expect("\(file.health)".contains("not UTF-8"))
        let names = try folder.names()
        #expect(names.count == 4)
        // The file that the link leads to from now on is seen.
        _ = try await Program.run(.command("ln"), ["-sfn", "v", "l"], directory: folder.path)
        var values = file.values.makeAsyncIterator()
        while let value = await values.next(), value != 2 {}
        #expect(file.value == 2)
    }

    /// A directory moves from a name with é as one letter to one with e and an accent, where an observer waits for it.
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
        // A URL would spell the name in its own way.
        try #require(unsafe rename(one, two) == 0)
        #expect(await values.first(within: .seconds(20)) { $0 == 5 } != nil)
        try await GroupFile("v", in: try GroupContainer(directory: two), initialValue: 0).write(7)
        #expect(await values.first(within: .seconds(20)) { $0 == 7 } != nil)
        subscription.cancel()
        withExtendedLifetime(file) {}
    }
}
