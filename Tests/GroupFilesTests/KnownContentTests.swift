import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct KnownContentTests {
    @Test func theFirstThatIsFoundIsNews() {
        var known = KnownContent()
        #expect(known.isNews(.missing))
        known.publish(.missing)
        #expect(!known.isNews(.missing) && known.isNews(.bytes([])))
        #expect(known.number == 1 && !known.isOwn)
    }

    @Test func whatIsWrittenAgainIsNoNews() {
        var known = KnownContent()
        let areNews = [Content.bytes([1]), .bytes([1]), .missing].map { known.publishOwn($0) }
        #expect(areNews == [true, false, true])
        #expect(known.number == 2 && known.isOwn)
        known.publish(.bytes([2]))
        #expect(known.number == 3 && !known.isOwn)
    }

    /// The times of a file that has just been changed do not reveal a change that came after the read.
    @Test func onlyWhatWasOldWhenItWasReadNeedNotBeReadAgain() throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "v")
        let young = try Path.status(of: folder.path("v")).fingerprint
        let old = try Path.status(of: "/usr").fingerprint
        var known = KnownContent()
        known.noteSeen(old, with: .unreadable(.notRegular(.directory)))
        #expect(known.isProven(by: old) && !known.isProven(by: young))
        // The status tells another size than the content has, as for files whose content the kernel generates.
        known.noteSeen(old, with: .bytes([]))
        #expect(!known.isProven(by: old))
        known.noteSeen(young, with: .bytes([0x31]))
        #expect(!known.isProven(by: young))
        known.noteSeen(old, with: .missing)
        _ = known.publishOwn(.missing)
        #expect(!known.isProven(by: old))
    }
}
