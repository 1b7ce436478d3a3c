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
        #expect(length == 8 && left == [] && record.isUndisturbed && record.names("v.1.tmp"))
        #expect(isKnown(by: first, own: "v.1.tmp"))
        #expect(!isKnown(by: other, own: "v.1.tmp") && !record.isUndisturbed)
        // Once a name is retired it is no longer our own.
        #expect(!isKnown(by: first, own: "v.2.tmp") && !record.names("v.2.tmp"))
        record.noteWritten("v.2.tmp")
        #expect(record.names("v.2.tmp") && !isKnown(by: first, own: "v.2.tmp"))
    }

    @Test(arguments: [
        ("v.2.tmp\n", 8, ["v.2.tmp"]), ("v.2.tmp\nmore\n", 8, ["v.2.tmp"]),
        ("v.2.tmp/v.3.tmp\n", 16, ["v.2.tmp", "v.3.tmp"]), ("v.2.tmp/v.1.tmp\n", 16, ["v.2.tmp", "v.1.tmp"]),
        // A line cut off, names of no temporary file, names in other directories, and nothing.
        ("v.2.tmp", 0, []), ("v\n", 2, []), ("../v.tmp\n", 9, []), ("/v.tmp\n", 7, []), ("v.tmp/\n", 7, []),
        ("\n\n", 1, []), ("", 0, []),
    ])
    func whatOthersLeftAreTheirTemporaryFiles(text: String, length: Int, left: [String]) throws {
        var record = LockRecord()
        let found = record.noteRead(
            Array(text.utf8), try status(of: text, in: TemporaryDirectory()), own: "v.1.tmp")
        #expect(found.length == length && found.left == left && !record.isUndisturbed)
    }

    @Test func whatIsNotUTF8NamesNothing() throws {
        var record = LockRecord()
        let found = record.noteRead(
            [0xFF] + Array(".tmp\n".utf8), try status(of: "", in: TemporaryDirectory()), own: "v.1.tmp")
        #expect(found.length == 6 && found.left == [])
    }

    /// A file that could not be swept stays named in the line, for a writer that may sweep it, as long as there is
    /// room.
    @Test func whatCouldNotBeSweptIsNamedAgain() throws {
        let status = try status(of: "", in: TemporaryDirectory())
        var record = LockRecord()
        #expect(
            record.noteRead(Array("v.2.tmp/v.3.tmp\n".utf8), status, own: "v.1.tmp").left == ["v.2.tmp", "v.3.tmp"])
        record.noteUnswept(["v.3.tmp"])
        #expect(!record.names("v.1.tmp") && record.line(naming: "v.1.tmp") == Array("v.1.tmp/v.3.tmp\n".utf8))
        record.noteWritten("v.1.tmp")
        #expect(record.names("v.1.tmp"))
        // Our name was the last one written: nobody else has written, and the other file is still to be swept.
        #expect(record.noteRead(Array("v.1.tmp/v.3.tmp\n".utf8), status, own: "v.1.tmp").left == ["v.3.tmp"])
        #expect(record.isUndisturbed && record.names("v.1.tmp"))
        record.noteUnswept([])
        #expect(!record.names("v.1.tmp") && record.line(naming: "v.1.tmp") == Array("v.1.tmp\n".utf8))
        record.noteUnswept((0..<100).map { "v.another-\($0).tmp" })
        let line = record.line(naming: "v.1.tmp")
        #expect(line.count <= LockRecord.longest && line.count > LockRecord.longest - 20)
        #expect(LockRecord.isRecord(line) && LockRecord.leftovers(namedIn: line).contains("v.another-9.tmp"))
    }
}
