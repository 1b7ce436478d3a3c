@testable import GroupFiles
import Testing

struct ControlNameTests {
    @Test(arguments: [
        ("value.lock", ControlName.lock(of: "value")), ("value.turn", .turn(of: "value")),
        ("a.lock.lock", .lock(of: "a.lock")), ("a.rejected.lock", .lock(of: "a.rejected")),
        ("value.rejected", .rejected(of: "value")), ("value.rejected.9", .rejected(of: "value")),
        ("a.tmp.rejected.1", .rejected(of: "a.tmp")), ("a.lock.rejected", .rejected(of: "a.lock")),
        ("value.4711-abc.tmp", .temporary(of: "value")), ("a.b.4711-abc-2.tmp", .temporary(of: "a.b")),
        ("odd.tmp", .temporary(of: nil)), ("value.4711-abc.tmp.old", .temporary(of: "value")),
    ])
    func aNameTellsWhatTheFileIs(_ fileName: String, _ expected: ControlName) {
        #expect(ControlName(fileName) == expected)
    }

    @Test(arguments: ["value", "value.rejected.0", "value.rejected.10", "value.rejectedx", "value.lock.old", ""])
    func otherNamesTellNothing(_ fileName: String) {
        #expect(ControlName(fileName) == nil)
    }

    @Test func whatIsMadeIsFoundAgain() {
        for value in ["value", "a.lock", "b.rejected.3", "c.tmp", "ü.turn", "d\u{600}"] {
            #expect(ControlName(ControlName.lock(ofValue: value)) == .lock(of: value))
            #expect(ControlName(ControlName.turn(ofValue: value)) == .turn(of: value))
            for kept in ControlName.rejected(ofValue: value) { #expect(ControlName(kept) == .rejected(of: value)) }
            var names = TemporaryNames(for: value)
            let temporary = names.take().text
            #expect(ControlName(temporary) == .temporary(of: value))
            #expect(ControlName(ControlName.old(beside: temporary)) == .temporary(of: value))
        }
    }
}
