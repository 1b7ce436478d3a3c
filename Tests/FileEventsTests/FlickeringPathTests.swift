import FileEvents
import Foundation
import TestSupport
import Testing

/// A path that leads elsewhere for a moment, while a handler reads it, and then back to where it led before.
struct FlickeringPathTests {
    typealias Change = @Sendable (_ files: FileManager, _ path: (String) -> String) throws -> Void

    struct Flicker: Sendable {
        let name: String
        /// What is there at first, and what triggers the handler's call.
        let script: String
        let trigger: String
        let path: String
        /// What happens as the handler begins, and once it has read the file.
        let away: Change
        let back: Change
    }

    static let flickers = [
        Flicker(
            name: "a directory comes and goes", script: "mkdir a; echo 1 > a/f", trigger: "mv a b", path: "a/f",
            away: { try $0.moveItem(atPath: $1("b"), toPath: $1("a")) },
            back: { try $0.moveItem(atPath: $1("a"), toPath: $1("b")) }),
        Flicker(
            name: "a directory goes and comes", script: "mkdir a; echo 1 > a/f", trigger: "chmod 600 a/f", path: "a/f",
            away: { try $0.moveItem(atPath: $1("a"), toPath: $1("b")) },
            back: { try $0.moveItem(atPath: $1("b"), toPath: $1("a")) }),
        Flicker(
            name: "a directory's link goes and comes", script: "mkdir a; echo 1 > a/f; ln -s a l",
            trigger: "chmod 600 a/f", path: "l/f",
            away: { try $0.removeItem(atPath: $1("l")) },
            back: { try $0.createSymbolicLink(atPath: $1("l"), withDestinationPath: "a") }),
        Flicker(
            name: "a file's link beside the file goes and comes", script: "echo 1 > f; ln -s f l",
            trigger: "chmod 600 f", path: "l",
            away: { try $0.removeItem(atPath: $1("l")) },
            back: { try $0.createSymbolicLink(atPath: $1("l"), withDestinationPath: "f") }),
        Flicker(
            name: "a link comes and goes", script: "mkdir a; echo 1 > a/f; ln -s a l", trigger: "rm l", path: "l/f",
            away: { try $0.createSymbolicLink(atPath: $1("l"), withDestinationPath: "a") },
            back: { try $0.removeItem(atPath: $1("l")) }),
        Flicker(
            name: "a directory is made and removed", script: "mkdir a; echo 1 > a/f", trigger: "mv a b", path: "a/f",
            away: { files, path in
                try files.createDirectory(atPath: path("a"), withIntermediateDirectories: false)
                try Data("1".utf8).write(to: URL(fileURLWithPath: path("a/f")))
            },
            back: { try $0.removeItem(atPath: $1("a")) }),
    ]

    @Test(arguments: flickers.indices, TemporaryDirectory.Place.allCases)
    func whoReadsWhatWasThereForAMomentIsCalledAgain(index: Int, place: TemporaryDirectory.Place) async throws {
        let flicker = Self.flickers[index]
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell(flicker.script)
        let observer = FileObserver(path: folder.path(flicker.path))
        let isThere = Log<Bool>()
        observer.setEventHandler {
            let files = FileManager.default
            let isFirst = isThere.elements.isEmpty
            do {
                if isFirst { try flicker.away(files, folder.path) }
                isThere.append(files.fileExists(atPath: folder.path(flicker.path)))
                if isFirst { try flicker.back(files, folder.path) }
            } catch {
                Issue.record(error)
            }
        }
        observer.activate()
        defer { observer.cancel() }
        try await folder.shell(flicker.trigger)
        #expect(await isThere.first { _ in true } != nil)
        #expect(
            await isThere.reach(within: .beforeTheHeartbeat) { $0.last != $0.first },
            "\(flicker.name): \(isThere.elements)")
    }

    /// The handler was never called, so the program has not read what was there for a moment.
    @Test func whoWasNeverToldIsNotToldOfDirectoriesOnTheWay() async throws {
        let folder = try TemporaryDirectory()
        let observer = FileObserver(path: folder.path("a/b/f"))
        let log = observer.logEvents()
        observer.activate()
        defer { observer.cancel() }
        for script in ["mkdir a", "mkdir a/b", "touch a/b/f"] {
            try await folder.shell(script)
            await EventBarrier.passed()
        }
        #expect(await log.first(within: .beforeTheHeartbeat) { $0.contains(.link) } != nil)
        #expect(log.elements.allSatisfy { !$0.contains(.delete) }, "\(log.elements)")
    }
}
