import Dispatch
import FileEvents
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct EventInboxTests {
    @Test func withoutAPublicationEventsAreJudgedAtOnce() {
        var inbox = EventInbox()
        let (isDue, judged, left) = (inbox.receive(.movedTo, 0), inbox.takeAll(), inbox.takeAll())
        #expect(isDue)
        #expect(judged == [.movedTo])
        #expect(left.isEmpty)
    }

    /// Two stores of one directory deliver the same events, each in order, but one of them may be late.
    @Test func anEventIsTakenInOnce() {
        var inbox = EventInbox()
        let told: [(InotifyMask, UInt64)] = [
            (.closeWrite, 3), (.closeWrite, 3), (.modify, 4), (.closeWrite, 3), (.modify, 4), (.movedTo, 6),
            (.delete, 0),
        ]
        let areTaken = told.map { inbox.receive($0, $1) }
        #expect(areTaken == [true, false, true, false, false, true, true])
        let judged = inbox.takeAll()
        #expect(judged == [.closeWrite, .modify, .movedTo, .delete])
    }

    /// A store that was opened in between delivers only the last event, for which nothing is read.
    @Test func G4_aChangeThatIsToldAfterNewAttributesIsTakenIn() {
        var inbox = EventInbox()
        let areTaken = [inbox.receive(.attributes, 4), inbox.receive(.closeWrite, 3), inbox.receive(.attributes, 4)]
        #expect(areTaken == [true, true, true])
        let judged = inbox.takeAll()
        #expect(judged == [.attributes, .closeWrite, .attributes])
    }

    @Test func whatComesDuringAPublicationIsLookedIntoOnce() {
        var inbox = EventInbox()
        inbox.publicationBegins()
        let first = inbox.receive(.movedFrom, 0)
        inbox.publicationBegins()
        let second = inbox.receive(.movedTo, 0)
        #expect(!first && !second)
        let isDue = [inbox.publicationEnds(), inbox.publicationEnds()]
        #expect(isDue == [false, true])

        inbox.publicationBegins()
        let mayJudge = inbox.look()
        #expect(!mayJudge)
        let isDueAgain = inbox.publicationEnds()
        #expect(isDueAgain)
        let (mayJudgeNow, judged) = (inbox.look(), inbox.takeAll())
        #expect(mayJudgeNow)
        #expect(judged == [.movedFrom, .movedTo])

        inbox.publicationBegins()
        let isDueForNothing = inbox.publicationEnds()
        #expect(!isDueForNothing)
    }

    @Test func whatCameDuringAPublicationIsJudgedWithWhatComesNext() {
        var inbox = EventInbox()
        inbox.publicationBegins()
        _ = inbox.receive(.modify, 0)
        _ = inbox.publicationEnds()
        let (isDue, judged) = (inbox.receive(.closeWrite, 0), inbox.takeAll())
        #expect(isDue)
        #expect(judged == [.modify, .closeWrite])
    }

    @Test func itHoldsNoMoreThanItNeeds() {
        var inbox = EventInbox()
        inbox.publicationBegins()
        for _ in 0..<10_000 { _ = inbox.receive(.closeWrite, 0) }
        _ = inbox.receive(.modify, 0)
        let masks = inbox.takeAll()
        #expect(masks.count <= 1024)
        #expect(masks.contains(.closeWrite))
        #expect(masks.last == .modify)
    }

    /// A foreign writer comes between the exchange and the publication. The thread that reads events must not wait for
    /// the publication's lock.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_aForeignChangeDuringAPublicationIsSeen(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let values = Log<Int>()
        let subscription = file.sink { values.append($0) }
        try await blocking {
            _ = try file.attachedCore.publish(.bytes(Array("1\n".utf8)), by: nil) { () throws(GroupFileError) in
                let isHandedOn = DispatchSemaphore(value: 0)
                do { try folder.write("7\n", to: "c/v") } catch { Issue.record(error) }
                EventBarrier.whenPassed { isHandedOn.signal() }
                #expect(isHandedOn.wait(timeout: .now() + 20) == .success, "the reader of events waits")
                return true
            }
        }
        // Long before the regular look that needs no event.
        #expect(await values.first(within: .seconds(20)) { $0 == 7 } != nil)
        subscription.cancel()
    }
}
