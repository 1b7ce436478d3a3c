import Foundation
import TestSupport
import Testing

/// An app and its widget, run as processes.
@Suite(.fewAtOnce) struct LuckyNumberTests {
    private static let group = "group.example.lucky-number"
    private let fromDefaults = "From UserDefaults: "
    private let fromFile = "From File: "

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func theWidgetShowsWhatTheAppDraws(place: TemporaryDirectory.Place) async throws {
        let stage = try Stage(on: place)
        let widget = try stage.start("lucky-number", "widget")
        try await widget.line("Background: none")
        #expect(widget.output.elements == ["From UserDefaults: 0", "From File: 0", "Background: none"])
        #expect(!FileManager.default.fileExists(atPath: stage.containers), "who only looks makes nothing")

        let once = try await stage.run("lucky-number", "app")
        #expect(once.exit == .code(0) && once.errors == "")
        let number = try #require(Int(once.output))
        #expect((1...99).contains(number))
        #expect(await widget.shows(fromDefaults + "\(number)", of: fromDefaults))
        #expect(await widget.shows(fromFile + "\(number)", of: fromFile))
        #expect(try await watchValue("get luckyNumber", stage) == "\(number)")
        #expect(try text(stage) == "\(number)\n")

        let twice = try await stage.run("lucky-number", "app", "--repeat", "2")
        let numbers = twice.output.split(separator: "\n")
        #expect(numbers.count == 2)
        let last = try #require(numbers.last)
        #expect(await widget.shows(fromDefaults + last, of: fromDefaults))
        #expect(await widget.shows(fromFile + last, of: fromFile))

        // Whichever program writes.
        try await _ = watchValue("set luckyNumber 111", stage)
        #expect(await widget.shows(fromDefaults + "111", of: fromDefaults))
        try stage.replace("LuckyNumber.txt", of: Self.group, with: "222")
        #expect(await widget.shows(fromFile + "222", of: fromFile))
        try FileManager.default.removeItem(atPath: stage.container(of: Self.group))
        #expect(await widget.shows(fromDefaults + "0", of: fromDefaults))
        #expect(await widget.shows(fromFile + "0", of: fromFile))
        #expect(widget.errors.elements == [])
    }

    @Test func nonsenseIsZeroAndStaysWhereItIs() async throws {
        let stage = try Stage()
        try await stage.run("lucky-number", "app")
        try stage.directory.write("no number\n", to: file("luckyNumber"))
        try stage.directory.write("seven\n", to: file("LuckyNumber.txt"))
        let widget = try stage.start("lucky-number", "widget")
        try await widget.line("Background: none")
        #expect(widget.output.elements == ["From UserDefaults: 0", "From File: 0", "Background: none"])
        #expect(await widget.errors.reach { $0.count == 2 })
        #expect(widget.errors.elements.contains { $0.hasPrefix("lucky-number: ") && $0.contains("/luckyNumber:1:1: ") })
        #expect(widget.errors.elements.contains { $0.contains("/LuckyNumber.txt:1:1: ") })
        #expect(try stage.directory.read(file("luckyNumber")) == "no number\n")

        let number = try await stage.run("lucky-number", "app").output
        #expect(await widget.shows(fromDefaults + number, of: fromDefaults))
        #expect(await widget.shows(fromFile + number, of: fromFile))
        // The content that the draw replaced is kept.
        let rejected = Self.group + "/.groupfile/LuckyNumber.txt.rejected"
        #expect(try stage.directory.read("containers/" + rejected) == "seven\n")

        try await _ = watchValue("set --string luckyNumber seven", stage)
        #expect(await widget.shows(fromDefaults + "0", of: fromDefaults))
    }

    @Test func thePictureIsDescribed() async throws {
        let stage = try Stage()
        let widget = try stage.start("lucky-number", "widget")
        for picture in Picture.allCases {
            try picture.bytes.write(to: stage.directory.url.appendingPathComponent("picture"))
            let app = try await stage.run("lucky-number", "app", "--background", stage.directory.path("picture"))
            #expect(app.exit == .code(0) && app.errors == "")
            #expect(await widget.shows(picture.line, of: "Background"), "\(picture)")
            if let problem = picture.problem {
                #expect(await widget.errors.first { $0.hasSuffix("/bg.png: " + problem) } != nil)
            }
            let shared = URL(fileURLWithPath: stage.container(of: Self.group) + "/bg.png")
            #expect(try Data(contentsOf: shared) == picture.bytes)
        }
        let problems = Picture.allCases.filter { $0.problem != nil }.count
        #expect(await widget.errors.reach { $0.count == problems })
    }

    /// Two pictures are exchanged all the time. Whenever the widget looks, it sees one of them as a whole.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func aHalfWrittenPictureIsNeverShown(place: TemporaryDirectory.Place) async throws {
        let stage = try Stage(on: place)
        let widget = try stage.start("lucky-number", "widget")
        let pictures = [(100, 1_000_000), (200, 2_000_000)].map { width, size in
            (Picture.png(width: UInt8(width), size: size), "Background: PNG, \(width) × 480, \(size) bytes")
        }
        for (number, (bytes, _)) in pictures.enumerated() {
            try bytes.write(to: stage.directory.url.appendingPathComponent("\(number)"))
        }
        for round in 0..<8 {
            let app = try await stage.run(
                "lucky-number", "app", "--background", stage.directory.path("\(round % 2)"))
            #expect(app.exit == .code(0))
        }
        #expect(await widget.shows(pictures[1].1, of: "Background"))
        let shown = widget.output.elements.filter { $0.hasPrefix("Background") }
        #expect(Set(shown).isSubset(of: ["Background: none"] + pictures.map(\.1)))
        #expect(widget.errors.elements == [])
    }

    @Test func aPictureThatCannotBeReadChangesNothing() async throws {
        let stage = try Stage()
        for (path, reason) in [
            (stage.directory.path("nothing"), "No such file or directory"), (stage.directory.path, "Is a directory"),
        ] {
            let app = try await stage.run("lucky-number", "app", "--background", path)
            #expect(app.exit == .code(66))
            #expect(app.output == "")
            #expect(app.errors == "lucky-number: cannot read \(path): \(reason)")
        }
        #expect(!FileManager.default.fileExists(atPath: stage.containers))
    }

    /// Examples/lucky-number/README.md shows the real output, except for the numbers.
    @Test func itsReadmeShowsWhatComes() async throws {
        let stage = try Stage()
        try Picture.png.bytes.write(to: stage.directory.url.appendingPathComponent("wallpaper.png"))
        let blocks = try Document("Examples/lucky-number/README.md").blocks("console")
        let (first, second) = (try #require(blocks.first), try #require(blocks.last))
        let widget = try stage.startShell(first.commands[0], group: Self.group)
        try await widget.line("Background: none")
        var printed: [String] = []
        for command in second.commands {
            let output = try await stage.shell(command, group: Self.group).output
            printed += ["$ " + command] + output.split(separator: "\n").map(String.init)
            let number = try await watchValue("get luckyNumber", stage)
            #expect(await widget.shows(fromDefaults + number, of: fromDefaults))
            if command.hasPrefix("lucky-number") { #expect(await widget.shows(fromFile + number, of: fromFile)) }
            if command.contains("--background") { #expect(await widget.shows(Picture.png.line, of: "Background")) }
        }
        #expect(pattern(printed) == pattern(second.lines))
        // The same number may be drawn twice. Then the widget prints nothing new.
        #expect(Set(pattern(widget.output.elements)) == Set(pattern(first.output)))
    }

    private func pattern(_ lines: [String]) -> [String] {
        lines.map {
            $0.hasPrefix("Background") ? $0 : $0.replacing(/^(From .*: )?[1-9][0-9]?$/) { "\($0.output.1 ?? "")N" }
        }
    }

    private func watchValue(_ command: String, _ stage: Stage) async throws -> String {
        let outcome = try await stage.shell("watch-value " + command, group: Self.group)
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
        return outcome.output
    }

    private func file(_ name: String) -> String { "containers/\(Self.group)/\(name)" }

    private func text(_ stage: Stage) throws -> String { try stage.directory.read(file("LuckyNumber.txt")) }
}
