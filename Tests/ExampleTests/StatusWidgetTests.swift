import Foundation
import TestSupport
import Testing

/// Widgets and their app, run as processes.
@Suite(.fewAtOnce) struct StatusWidgetTests {
    private static let group = "group.example.status-widget"

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func widgetsShowWhatTheAppSays(place: TemporaryDirectory.Place) async throws {
        let stage = try Stage(on: place)
        let widget = try stage.start("status-widget", "widget")
        #expect(await widget.shows("status: Ready", of: "status"))
        #expect(await shows(widget, "UTC"))
        #expect(!FileManager.default.fileExists(atPath: stage.container(of: Self.group)), "the app's are not there yet")

        try await stage.run("status-widget", "app", "say", "Deploying")
        #expect(await widget.shows("status: Deploying", of: "status"))
        // The status ends at its time, without an event.
        try await stage.run("status-widget", "app", "say", "Deploying faster", "--for", "0.3")
        #expect(await widget.shows("status: Ready", of: "status"))
        try await stage.run("status-widget", "app", "set-time-zone", "Asia/Tokyo")
        #expect(await shows(widget, "Asia/Tokyo"))
        #expect(widget.errors.elements == [])
    }

    /// Whatever a file contains, a line stays one line, and the terminal is not affected.
    @Test func aTerminalIsNotToldWhatToDo() async throws {
        let stage = try Stage()
        try await stage.run("status-widget", "app", "say", "clear\u{1B}[2J\nand\tgone\u{9B}1m")
        try await write("clock", #"{"timeZone":"clear\u001B[2J\nand gone"}"#, stage)
        let widget = try stage.start("status-widget", "widget")
        #expect(await widget.shows("status: clear [2J and gone 1m", of: "status"))
        let problem = "status-widget: there is no time zone \"clear [2J and gone\"; the clock shows UTC"
        #expect(await widget.errors.first { $0 == problem } != nil)
    }

    /// Timelines are made again when a program requests it, not when a value changes.
    @Test func anyProcessReloads() async throws {
        let stage = try Stage()
        try await stage.run("status-widget", "app", "say", "one")
        let widget = try stage.start("status-widget", "widget")
        #expect(await widget.shows("status: one", of: "status"))
        for (text, command) in [("two", ["reload", "status"]), ("three", ["reload"])] {
            try await write("status", "{\"text\":\"\(text)\"}", stage)
            // A change that another kind of widget follows comes later than that of the value.
            try await stage.run("status-widget", "app", "set-time-zone", text == "two" ? "Asia/Tokyo" : "UTC")
            #expect(await shows(widget, text == "two" ? "Asia/Tokyo" : "UTC"))
            #expect(!widget.output.elements.contains("status: \(text)"))
            let app = try Program(
                .product("status-widget"), ["app"] + command, environment: ["GROUP_CONTAINERS": stage.containers])
            #expect(try await app.exit() == .code(0))
            #expect(await widget.shows("status: \(text)", of: "status"))
        }
    }

    /// As when an administrator creates the directory later.
    @Test func aReloadArrivesAlsoWhereTheCenterCouldNotBeMade() async throws {
        let stage = try Stage()
        try stage.directory.write("", to: "containers")
        let widget = try stage.start("status-widget", "widget", "status")
        #expect(await widget.shows("status: Ready", of: "status"))
        try FileManager.default.removeItem(atPath: stage.containers)
        try await stage.run("status-widget", "app", "say", "Deploying")
        #expect(await widget.shows("status: Deploying", of: "status"))
    }

    @Test func whatIsNoConfigurationLeavesTheLastGoodOneOrTheDefault() async throws {
        let stage = try Stage()
        try await stage.run("status-widget", "app", "set-time-zone", "Asia/Tokyo")
        let widget = try stage.start("status-widget", "widget", "clock")
        #expect(await shows(widget, "Asia/Tokyo"))
        let file = "containers/\(Self.group)/clock"
        try stage.directory.write("{\"timeZone\":", to: file)
        #expect(await widget.errors.first { $0.contains("/clock:1:13: ") } != nil)
        #expect(await shows(widget, "Asia/Tokyo"))
        let app = try await stage.run("status-widget", "app", "set-time-zone", "Europe/Berlin")
        #expect(app.exit == .code(65))
        #expect(try stage.directory.read(file) == "{\"timeZone\":")

        try await write("clock", "{\"timeZone\":\"Mars/Base\"}", stage)
        #expect(await shows(widget, "UTC"))
        let problem = "status-widget: there is no time zone \"Mars/Base\"; the clock shows UTC"
        #expect(await widget.errors.first { $0 == problem } != nil)
        #expect(try stage.directory.read(file).contains("Mars/Base"))
    }

    @Test func theAppListsTheWidgetsThatAreShown() async throws {
        let stage = try Stage()
        #expect(try await list(stage) == [])
        let both = try stage.start("status-widget", "widget")
        let clock = try stage.start("status-widget", "widget", "clock")
        #expect(await shows(both, "UTC"))
        #expect(await shows(clock, "UTC"))
        #expect(await both.shows("status: Ready", of: "status"))
        #expect(try await lists(["clock: UTC", "clock: UTC", "status"], stage))
        both.signal(SIGKILL)
        #expect(try await both.exit() == .signal(SIGKILL))
        #expect(try await list(stage) == ["clock: UTC"])
        clock.signal(SIGTERM)
        #expect(try await clock.exit() == .code(0))
        #expect(try await list(stage) == [])
    }

    /// Whatever happens to the file that lists them.
    @Test(arguments: [
        "mv containers old && status-widget app say again", "echo garbage > containers/group.timelines/widgets",
    ])
    func widgetsThatAreShownAreListed(change: String) async throws {
        let stage = try Stage()
        let widget = try stage.start("status-widget", "widget")
        #expect(try await lists(["clock: UTC", "status"], stage))
        let outcome = try await stage.shell(change, group: Self.group)
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
        #expect(try await lists(["clock: UTC", "status"], stage))
        widget.signal(SIGTERM)
        #expect(try await widget.exit() == .code(0))
        #expect(try await list(stage) == [])
        #expect(widget.errors.elements == [])
    }

    @Test func whoHoldsWhatIsKnownOfWidgetsHoldsUpNone() async throws {
        let stage = try Stage()
        try await stage.run("watch-value", "-g", "group.timelines", "set", "widgets", "{}")
        let holder = try await stage.hold("widgets", of: "group.timelines")
        let widget = try stage.start("status-widget", "widget")
        #expect(await widget.shows("status: Ready", of: "status"))
        #expect(await shows(widget, "UTC"))
        #expect(try await stage.waits(widget, for: "widgets"))
        widget.signal(SIGTERM)
        #expect(try await widget.exit() == .code(0))
        try await stage.letGo(holder)
        #expect(widget.errors.elements == [])
    }

    @Test func aPreviewMakesNothing() async throws {
        let stage = try Stage()
        let preview = try await stage.run("status-widget", "widget", "--preview")
        #expect(preview.exit == .code(0) && preview.errors == "")
        let lines = preview.output.split(separator: "\n").sorted()
        #expect(lines.count == 2)
        #expect(lines.first?.wholeMatch(of: /clock: \d\d:\d\d in UTC/) != nil)
        #expect(lines.last == "status: Ready")
        #expect(!FileManager.default.fileExists(atPath: stage.containers))
    }

    /// Examples/status-widget/README.md shows the real output, except for the time.
    @Test func itsReadmeShowsWhatComes() async throws {
        let stage = try Stage()
        let blocks = try Document("Examples/status-widget/README.md").blocks("console")
        let (first, second) = (try #require(blocks.first), try #require(blocks.last))
        let widget = try stage.startShell(first.commands[0], group: Self.group)
        #expect(await widget.shows("status: Ready", of: "status"))
        #expect(await shows(widget, "UTC"))
        var printed: [String] = []
        for command in second.commands {
            if command.hasSuffix("list") { #expect(try await lists(["clock: Asia/Tokyo", "status"], stage)) }
            let outcome = try await stage.shell(command, group: Self.group)
            #expect(outcome.exit == .code(0), "\(outcome.errors)")
            printed += ["$ " + command] + outcome.output.split(separator: "\n").map(String.init)
            if command.contains("Deploying") { #expect(await widget.shows("status: Deploying", of: "status")) }
            if command.contains("Tokyo") { #expect(await shows(widget, "Asia/Tokyo")) }
            if command.contains("--for") { #expect(await widget.shows("status: Ready", of: "status")) }
        }
        #expect(printed == second.lines)
        // On a slow machine the last status may be over before it is shown; and a minute may pass.
        let shown = Set(widget.output.elements.map(pattern))
        let expected = Set(first.output.map(pattern))
        #expect(shown.union(["status: Testing"]) == expected)
    }

    private func pattern(_ line: String) -> String { line.replacing(/\d\d:\d\d/, with: "hh:mm") }

    /// Whether the clock shows this time zone, whatever the time is.
    private func shows(_ widget: Program, _ zone: String) async -> Bool {
        await widget.output.reach { lines in
            lines.last { $0.hasPrefix("clock") }?.hasSuffix(" in \(zone)") == true
        }
    }

    private func list(_ stage: Stage) async throws -> [String] {
        try await stage.run("status-widget", "app", "list").output.split(separator: "\n").map(String.init)
    }

    /// A widget is shown before it is listed, so this waits.
    private func lists(_ widgets: [String], _ stage: Stage) async throws -> Bool {
        try await eventually { try await list(stage) == widgets }
    }

    private func write(_ name: String, _ json: String, _ stage: Stage) async throws {
        let outcome = try await stage.run("watch-value", "-g", Self.group, "set", name, json)
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
    }
}
