import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct LockRecordTests {
    private func status(of text: String, in folder: TemporaryDirectory) throws -> Fingerprint {
        try folder.write(text, to: "v.lock")
        return try Path.linkStatus(of: folder.path("v.lock")).fingerprint
    }

    @Test func whatItNamesIsKnownForAsLongAsItsFileLooksTheSame() throws {
        let folder = try TemporaryDirectory()
        let (first, other) = try (status(of: "v.1.tmp\n", in: folder), status(of: "v.1.tmp\n\n", in: folder))
        var record = LockRecord()
        func isKnown(by status: Fingerprint, own: String) -> Bool {
            let isKnown = record.noteLook(status, own: own)
            return isKnown && record.isUndisturbed
        }
        #expect(!isKnown(by: first, own: "v.1.tmp"))
        let (length, left) = record.noteRead(Array("v.1.tmp\n".utf8), first, own: "v.1.tmp")
        #expect(length == 8 && left == nil && record.isUndisturbed && record.names("v.1.tmp"))
        #expect(isKnown(by: first, own: "v.1.tmp"))
        #expect(!isKnown(by: other, own: "v.1.tmp") && !record.isUndisturbed)
        // Once a name is retired it is not our own any more.
        #expect(!isKnown(by: first, own: "v.2.tmp") && !record.names("v.2.tmp"))
        record.noteWritten("v.2.tmp")
        #expect(record.names("v.2.tmp") && !isKnown(by: first, own: "v.2.tmp"))
    }

    @Test(arguments: [
        ("v.2.tmp\n", 8, "v.2.tmp"), ("v.2.tmp\nmore\n", 8, "v.2.tmp"),
        // Cut off, no temporary file's, another directory's, and nothing.
        ("v.2.tmp", 0, nil), ("v\n", 2, nil), ("../v.tmp\n", 9, nil), ("\n\n", 1, nil), ("", 0, nil),
    ])
    func whatAnotherLeftIsItsTemporaryFile(text: String, length: Int, left: String?) throws {
        var record = LockRecord()
        let found = record.noteRead(
            Array(text.utf8), try status(of: text, in: TemporaryDirectory()), own: "v.1.tmp")
        #expect(found.length == length && found.left == left && !record.isUndisturbed)
    }

    @Test func whatIsNotUTF8NamesNothing() throws {
        var record = LockRecord()
        let found = record.noteRead(
            [0xFF] + Array(".tmp\n".utf8), try status(of: "", in: TemporaryDirectory()), own: "v.1.tmp")
        #expect(found.length == 6 && found.left == nil)
    }
}
