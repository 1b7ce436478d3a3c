import ExampleSupport
import Foundation
import GroupFiles
import TestSupport
import Testing
import Timelines

/// What programs tell widgets, and what they learn about them.
@Suite struct CenterTests {
    private static let counting: @Sendable (Int) -> ([(Double, String)], TimelineReloadPolicy) = { number in
        ([(0, "\(number)")], .never)
    }

    @Test func aReloadReachesItsKindOnly() async throws {
        let center = TimelineCenter(container: .inMemory())
        let (one, other) = (Stage(center: center, Self.counting), Stage(center: center, Self.counting))
        one.render(kind: "one")
        other.render(kind: "other")
        #expect(await one.hasShown("placeholder", "1"))
        #expect(await other.hasShown("placeholder", "1"))
        try center.reloadTimelines(ofKind: "one")
        #expect(await one.hasShown("placeholder", "1", "2"))
        try center.reloadAllTimelines()
        #expect(await one.hasShown("placeholder", "1", "2", "3"))
        #expect(await other.hasShown("placeholder", "1", "2"))
        #expect(one.provider.asked.elements.count == 3 && other.provider.asked.elements.count == 2)
    }

    /// An earlier request is no news, whatever the file holds.
    @Test func aReloadOfThePastIsNone() async throws {
        let stage = Stage(Self.counting)
        try stage.center.reloadTimelines(ofKind: "kind")
        try stage.center.reloadAllTimelines()
        stage.render()
        #expect(await stage.hasShown("placeholder", "1"))
        try stage.center.reloadTimelines(ofKind: "kind")
        #expect(await stage.hasShown("placeholder", "1", "2"))
    }

    @Test func aRequestWhileTheProviderIsAskedIsNotLost() async throws {
        let stage = Stage(Self.counting)
        stage.provider.hold()
        stage.render()
        #expect(await stage.isAsked(1))
        for _ in 1...10 { try stage.center.reloadTimelines(ofKind: "kind") }
        stage.provider.gate.open()
        #expect(await stage.isAsked(2))
        #expect(await stage.shown.first { $0 == "2" } != nil)
    }

    @Test(arguments: TemporaryDirectory.Place.allCases)
    func aDirectoryThatIsRemovedComesBackWithTheNextRequest(place: TemporaryDirectory.Place) async throws {
        let directory = try TemporaryDirectory(on: place)
        let path = directory.path("timelines")
        let center = TimelineCenter(container: try GroupContainer(directory: path))
        let stage = Stage(center: center, Self.counting)
        stage.render()
        #expect(await stage.hasShown("placeholder", "1"))
        try center.reloadTimelines(ofKind: "kind")
        #expect(await stage.hasShown("placeholder", "1", "2"))
        #expect(try await knows(center, ["kind"]))
        #expect(await isRemoved(path))
        try center.reloadTimelines(ofKind: "kind")
        #expect(await stage.isAsked(3))
        #expect(FileManager.default.fileExists(atPath: path))
        // Ended before the directory is removed.
        await stage.end()
    }

    @Test func aKindMayHaveAnyName() async throws {
        let stage = Stage(Self.counting)
        stage.render(kind: "com.example/odd kind")
        #expect(await stage.hasShown("placeholder", "1"))
        try stage.center.reloadTimelines(ofKind: "com.example/odd kind")
        #expect(await stage.hasShown("placeholder", "1", "2"))
        #expect(throws: GroupFileError.self) {
            try stage.center.reloadTimelines(ofKind: String(repeating: "long", count: 60))
        }
    }

    @Test func theConfigurationsAreThoseOfWidgetsThatAreShown() async throws {
        let container = GroupContainer.inMemory()
        let center = TimelineCenter(container: container)
        #expect(try center.getCurrentConfigurations() == [])
        let city = try GroupFile("city", in: container, initialValue: "Bern")
        let shown = Log<String>()
        let renderer = TimelineRenderer(
            kind: "weather", provider: WeatherProvider(), configuration: city, center: center,
            clock: ManualClock(Stage.start))
        let task = Task { await renderer.run { shown.append($0.text) } }
        #expect(await shown.first { $0 == "sun in Bern" } != nil)
        let isKnown = try await eventually {
            try center.getCurrentConfigurations().map { $0.configuration(as: String.self) } == ["Bern"]
        }
        #expect(isKnown)
        #expect(try center.getCurrentConfigurations().map(\.kind) == ["weather"])
        #expect(try center.getCurrentConfigurations().first?.process == .current)

        try await city.write("Oslo")
        #expect(await shown.first { $0 == "sun in Oslo" } != nil)
        let isFollowed = try await eventually {
            try center.getCurrentConfigurations().map { $0.configuration(as: String.self) } == ["Oslo"]
        }
        #expect(isFollowed)
        #expect(try center.getCurrentConfigurations().first?.configuration(as: Int.self) == nil)
        task.cancel()
        await task.value
        #expect(try center.getCurrentConfigurations() == [])
    }

    @Test func aWidgetIsShownAlsoWhereItCannotBeKnownOf() async throws {
        let directory = try TemporaryDirectory()
        let container = try GroupContainer(directory: directory.path("timelines"))
        try FileManager.default.createDirectory(
            atPath: directory.path("timelines/widgets"), withIntermediateDirectories: false)
        let stage = Stage(center: TimelineCenter(container: container), Self.counting)
        let problems = Log<String>()
        let renderer = TimelineRenderer(
            kind: "kind", provider: stage.provider, center: stage.center, clock: stage.clock)
        let shown = stage.shown
        let task = Task { await renderer.run(report: { problems.append("\($0)") }, { shown.append($0.text) }) }
        #expect(await stage.hasShown("placeholder", "1"))
        #expect(await problems.first { $0.contains("/timelines/widgets") } != nil)
        task.cancel()
        await task.value
        #expect(problems.elements.count == 1, "\(problems.elements)")
    }

    /// Only the widgets write this file, so nothing else would ever repair it.
    @Test func whatIsNoListOfWidgetsIsWrittenAnew() async throws {
        let directory = try TemporaryDirectory()
        let center = TimelineCenter(container: try GroupContainer(directory: directory.path("timelines")))
        try directory.write("{\"a\":{\"kind\":\"x\"}}", to: "timelines/widgets")
        let (one, other) = (Stage(center: center, Self.counting), Stage(center: center, Self.counting))
        one.render(kind: "one")
        other.render(kind: "other")
        #expect(try await knows(center, ["one", "other"]))
        try directory.write("garbage", to: "timelines/widgets")
        #expect(try await knows(center, ["one", "other"]))
        await one.end()
        #expect(try center.getCurrentConfigurations().map(\.kind) == ["other"])
        await other.end()
    }

    /// Their processes were killed, and could not remove them from the list.
    @Test func widgetsOfProcessesThatAreGoneAreForgotten() async throws {
        let directory = try TemporaryDirectory()
        let center = TimelineCenter(container: try GroupContainer(directory: directory.path("timelines")))
        let process = "{\"pid\":1,\"start\":0,\"boot\":\"of another boot\"}"
        try directory.write("{\"gone\":{\"kind\":\"gone\",\"process\":\(process)}}", to: "timelines/widgets")
        let stage = Stage(center: center, Self.counting)
        stage.render()
        #expect(try await knows(center, ["kind"]))
        #expect(try !directory.read("timelines/widgets").contains("gone"))
        await stage.end()
    }

    @Test func aListOfWidgetsThatIsRemovedIsWrittenAgain() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("timelines")
        let center = TimelineCenter(container: try GroupContainer(directory: path))
        let stage = Stage(center: center, Self.counting)
        stage.render()
        #expect(try await knows(center, ["kind"]))
        try FileManager.default.removeItem(atPath: path + "/widgets")
        #expect(try await knows(center, ["kind"]))
        try FileManager.default.moveItem(atPath: path, toPath: directory.path("old"))
        // The list is written as soon as its directory exists again. A write that was under way during the move has
        // already made one.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(try await knows(center, ["kind"]))
        await stage.end()
    }

    /// Whether the directory could be removed. Tries until the test's deadline, because a write that is under way may
    /// create files in it, or create it again.
    private func isRemoved(_ path: String) async -> Bool {
        await eventually {
            do {
                try FileManager.default.removeItem(atPath: path)
                return true
            } catch {
                return !FileManager.default.fileExists(atPath: path)
            }
        }
    }

    /// Whether exactly these kinds are listed as shown. Waits for that until the test's deadline. While the file is
    /// bad, none are.
    private func knows(_ center: TimelineCenter, _ kinds: [String]) async throws -> Bool {
        try await eventually {
            do throws(GroupFileError) {
                return try center.getCurrentConfigurations().map(\.kind) == kinds
            } catch {
                if error.code == .undecodable { return false }
                throw error
            }
        }
    }
}

private struct WeatherProvider: IntentTimelineProvider {
    func placeholder(in context: Context) -> Stage.Entry { Stage.Entry(date: context.date, text: "…") }

    func snapshot(for city: String, in context: Context) async -> Stage.Entry { placeholder(in: context) }

    func timeline(for city: String, in context: Context) async -> Timeline<Stage.Entry> {
        Timeline(entries: [Stage.Entry(date: context.date, text: "sun in \(city)")], policy: .never)
    }
}
