import SystemCalls
import Testing

@testable import FileEvents

struct InotifyEventTests {
    private func record(_ watch: Int32, _ mask: InotifyMask, _ name: String, padding: Int) -> [UInt8] {
        func bytes(_ value: UInt32) -> [UInt8] { unsafe withUnsafeBytes(of: value) { unsafe Array($0) } }
        let padded = Array(name.utf8) + [UInt8](repeating: 0, count: padding)
        return bytes(UInt32(bitPattern: watch)) + bytes(mask.rawValue) + bytes(0) + bytes(UInt32(padded.count)) + padded
    }

    private func decode(_ bytes: [UInt8]) -> [InotifyEvent] {
        var names = NameCache()
        return InotifyEvent.decode(bytes.span, names: &names)
    }

    @Test func decodesRecordsOneAfterTheOther() {
        let bytes =
            record(1, .movedTo, "lamp", padding: 12) + record(2, .deleteSelf, "", padding: 0)
            + record(-1, .overflow, "", padding: 0) + record(3, .closeWrite, "größe", padding: 9)
        #expect(
            decode(bytes) == [
                InotifyEvent(watch: 1, mask: .movedTo, name: "lamp"),
                InotifyEvent(watch: 2, mask: .deleteSelf, name: nil),
                InotifyEvent(watch: -1, mask: .overflow, name: nil),
                InotifyEvent(watch: 3, mask: .closeWrite, name: "größe"),
            ])
    }

    @Test func namesThatComeInARowAreToldApart() {
        let names = ["lamp", "lamp", "lamb", "", "lamp", "a-name-of-more-than-15", "a-name-of-more-than-16", "lamp"]
        let bytes = names.map { record(1, .create, $0, padding: $0.isEmpty ? 0 : 32 - $0.utf8.count) }.joined()
        #expect(decode(Array(bytes)).map { $0.name ?? "" } == names)
    }

    /// Including names that share a prefix, and more names than the cache holds.
    @Test func namesAreRememberedFromOneReadToTheNext() {
        var cache = NameCache()
        let names = ["a", "ab", "abcdefg", "abcdefgh", "abcdefghi", "abcdefgx", "größe", "grosse"]
        for step in 0..<200 {
            let some = (0..<3).map { names[(step * 7 + $0 * 3) % names.count] }
            let bytes = some.map { record(1, .create, $0, padding: 16 - $0.utf8.count) }.joined()
            let events = InotifyEvent.decode(Array(bytes).span, names: &cache)
            #expect(events.map(\.name) == some)
        }
    }

    /// A repaired name would be that of another file.
    @Test func namesThatAreNotUTF8AreEmpty() {
        var bytes = record(1, .modify, "lamp", padding: 12)
        bytes[17] = 0xFF
        #expect(decode(bytes + record(1, .modify, "lamp", padding: 12) + bytes).map(\.name) == ["", "lamp", ""])
    }

    @Test func whatIsCutOffEndsTheList() {
        let bytes = record(1, .movedTo, "lamp", padding: 12)
        for count in 0..<bytes.count { #expect(decode(Array(bytes.prefix(count))).isEmpty) }
    }
}
