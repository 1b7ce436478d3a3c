import Foundation
import GroupFiles
import TestSupport
import Testing
import Timelines

/// What a renderer shows and when, by a clock that the tests set.
@Suite struct RendererTests {
    @Test func thePlaceholderComesFirstThenEachEntryAtItsDate() async {
        let stage = Stage { _ in ([(60, "later"), (0, "now"), (120, "last")], .never) }
        stage.render()
        #expect(await stage.hasShown("placeholder", "now"))
        #expect(await stage.sleeps(until: 60), "it looks at nothing until then")
        stage.set(60)
        #expect(await stage.hasShown("placeholder", "now", "later"))
        #expect(await stage.sleeps(until: 120))
        stage.set(121)
        #expect(await stage.hasShown("placeholder", "now", "later", "last"))
        await stage.end()
        #expect(!stage.clock.isAnybodyAsleep)
        #expect(stage.provider.asked.elements == [Stage.start])
    }

    @Test func whoSleptOverSomeEntriesShowsTheOneThatIsDue() async {
        let stage = Stage { _ in ([(-60, "past"), (0, "now"), (60, "missed"), (120, "due"), (180, "then")], .never) }
        stage.render()
        #expect(await stage.hasShown("placeholder", "now"))
        #expect(await stage.sleeps(until: 60))
        stage.set(150)
        #expect(await stage.hasShown("placeholder", "now", "due"))
        #expect(await stage.sleeps(until: 180))
    }

    @Test func whatIsNotDueYetLeavesWhatIsShown() async throws {
        let stage = Stage { $0 == 1 ? ([(60, "first")], .never) : ([(120, "second")], .never) }
        stage.render()
        #expect(await stage.sleeps(until: 60))
        #expect(await stage.hasShown("placeholder"))
        stage.set(60)
        #expect(await stage.hasShown("placeholder", "first"))
        try stage.center.reloadTimelines(ofKind: "kind")
        #expect(await stage.sleeps(until: 120))
        #expect(await stage.hasShown("placeholder", "first"))
    }

    @Test func atEndAsksWhenTheLastEntryIsShown() async {
        let stage = Stage { number in
            ([(Double(number) * 100 - 100, "\(number) a"), (Double(number) * 100, "\(number) b")], .atEnd)
        }
        stage.render()
        #expect(await stage.sleeps(until: 100))
        #expect(stage.provider.asked.elements.count == 1)
        stage.set(100)
        #expect(await stage.sleeps(until: 200))
        #expect(stage.provider.asked.elements == [Stage.start, Stage.start + 100])
        #expect(await stage.hasShown("placeholder", "1 a", "1 b", "2 a"))
    }

    @Test func afterADateAsksThen() async {
        let stage = Stage { number in
            ([(0, "\(number)"), (50, "half of \(number)")], .after(Stage.start + Double(number) * 100))
        }
        stage.render()
        #expect(await stage.sleeps(until: 50))
        stage.set(50)
        #expect(await stage.sleeps(until: 100))
        #expect(stage.provider.asked.elements.count == 1)
        stage.set(100)
        #expect(await stage.sleeps(until: 200))
        #expect(stage.provider.asked.elements == [Stage.start, Stage.start + 100])
        #expect(await stage.hasShown("placeholder", "1", "half of 1", "half of 2"))
    }

    /// A common mistake: the only entry is for the present, so that the timeline is over as soon as it comes.
    @Test(arguments: [TimelineReloadPolicy.atEnd, .after(Stage.start - 1)], [[], [(0.0, "now")]])
    func aTimelineThatIsOverWhenItComesIsNotAskedForAllTheTime(
        policy: TimelineReloadPolicy, entries: [(Double, String)]
    ) async {
        let stage = Stage { _ in (entries, policy) }
        stage.render()
        #expect(await stage.sleeps(until: 1))
        #expect(stage.provider.asked.elements.count == 1)
        stage.set(1)
        #expect(await stage.sleeps(until: 2))
        #expect(stage.provider.asked.elements.count == 2)
    }

    @Test func aClockThatIsSetBackShowsWhatIsDueThen() async throws {
        let stage = Stage { _ in ([(0, "now"), (60, "later")], .never) }
        stage.render()
        #expect(await stage.sleeps(until: 60))
        stage.set(60)
        #expect(await stage.hasShown("placeholder", "now", "later"))
        stage.set(30)
        try stage.center.reloadAllTimelines()
        #expect(await stage.hasShown("placeholder", "now", "later", "now"))
        #expect(await stage.sleeps(until: 60))
    }

    /// Otherwise the shown entry, which is now one of the future, would stay until its time comes.
    @Test func aClockThatIsSetBackFurtherHasTheProviderAskedAgain() async {
        let stage = Stage { $0 == 1 ? ([(0, "now"), (60, "later")], .atEnd) : ([(-7200, "then")], .never) }
        stage.render()
        #expect(await stage.sleeps(until: 60))
        stage.set(-7200)
        #expect(await stage.hasShown("placeholder", "now", "then"))
        #expect(stage.provider.asked.elements == [Stage.start, Stage.start - 7200])
    }

    @Test func theOldEntriesGoOnWhileTheProviderIsAsked() async throws {
        let stage = Stage { $0 == 1 ? ([(0, "old"), (60, "old still")], .never) : ([(0, "new")], .never) }
        stage.render()
        #expect(await stage.sleeps(until: 60))
        stage.provider.hold()
        try stage.center.reloadTimelines(ofKind: "kind")
        #expect(await stage.isAsked(2))
        stage.set(60)
        #expect(await stage.hasShown("placeholder", "old", "old still"))
        stage.provider.gate.open()
        #expect(await stage.hasShown("placeholder", "old", "old still", "new"))
    }

    @Test func aSnapshotIsForAGallery() async {
        let stage = Stage { _ in ([], .never) }
        let renderer = TimelineRenderer(
            kind: "kind", provider: stage.provider, center: stage.center, clock: stage.clock)
        #expect(await renderer.snapshot().text == "preview")
        #expect(stage.provider.asked.elements.isEmpty)
    }
}
