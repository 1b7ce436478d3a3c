import GroupFiles
import TestSupport
import Testing

/// G4 for all that foreign programs do; a torn or an old value would show in `seen`.
@Suite(.fewAtOnce)
struct G4_ScenarioTests {
    enum Watching: String, CaseIterable, Sendable {
        case notified, polled
    }

    @Test(arguments: Scenario.all, TemporaryDirectory.Place.allCases)
    func G4_theLastValueArrivesWhateverForeignProgramsDo(
        scenario: Scenario, place: TemporaryDirectory.Place
    ) async throws {
        try await check(scenario, place, .notified)
    }

    @Test(arguments: Scenario.all, TemporaryDirectory.Place.allCases)
    func G14_theLastValueArrivesByPolling(scenario: Scenario, place: TemporaryDirectory.Place) async throws {
        try await check(scenario, place, .polled)
    }

    private func check(_ scenario: Scenario, _ place: TemporaryDirectory.Place, _ watching: Watching) async throws {
        let folder = try TemporaryDirectory(on: place)
        if let needed = scenario.needs, !Tools.has(needed) { return }
        let environment = ["PROBE": Program.path(ofProduct: "probe")]
        try await folder.shell(scenario.before, environment: environment)
        let container = try GroupContainer(
            directory: folder.path("c"), access: .readOnly, sharing: .owner, usesNotifications: watching == .notified)
        let file = try GroupFile("v", in: container, initialValue: 0, access: .readOnly)
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first { _ in true } != nil)
        if let gone = scenario.gone {
            try await folder.shell(gone, environment: environment)
            #expect(await told.reach(within: .beforeTheHeartbeat) { $0.last == 0 })
        }
        try await folder.shell(scenario.script, environment: environment)
        if let last = scenario.last {
            let isFound = await told.reach(within: .beforeTheHeartbeat) { $0.last == last }
            #expect(isFound, "told \(told.elements), \(file.status), \(file.health)")
            #expect(await eventually { file.status == .current })
        } else {
            #expect(
                await eventually(within: .beforeTheHeartbeat) { file.status == .missing },
                "\(file.status), \(file.health)")
            #expect(await told.reach { $0.last == 0 })
        }
        if let seen = scenario.seen, watching == .notified {
            #expect(seen.isSuperset(of: told.elements), "told \(told.elements)")
        }
    }
}
