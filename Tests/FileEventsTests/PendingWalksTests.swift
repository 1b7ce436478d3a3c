import TestSupport
import Testing

@testable import FileEvents

struct PendingWalksTests {
    @Test func whatComesAfterAWalkWaitsForIt() async {
        let walks = PendingWalks()
        let done = Log<String>()
        walks.whenOver([{ done.append("at once") }])
        #expect(await done.first { $0 == "at once" } != nil)
        let (first, second) = (walks.begin(), walks.begin())
        walks.whenOver([{ done.append("after both") }])
        let third = walks.begin()
        walks.end(third)
        walks.end(first)
        done.append("one is left")
        walks.end(second)
        #expect(await done.first { $0 == "after both" } != nil)
        #expect(done.elements == ["at once", "one is left", "after both"])
    }

    /// A file system on the way may never answer.
    @Test func itDoesNotWaitForEver() async {
        let walks = PendingWalks()
        let done = Gate()
        let hung = walks.begin()
        walks.whenOver([{ done.open() }])
        #expect(await done.opened())
        // Nothing waits for the hung walk again, either.
        #expect(walks.isEmpty)
        let later = walks.begin()
        walks.end(hung)
        #expect(!walks.isEmpty)
        walks.end(later)
        #expect(walks.isEmpty)
    }
}
