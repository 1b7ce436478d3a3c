import TestSupport
import Testing

@testable import GroupFiles

struct OfferInboxTests {
    private func publication(_ number: UInt64) -> Publication {
        Publication(number: number, content: .bytes([UInt8(number)]), isSettled: true, isOwn: true)
    }

    @Test func whatTheFileItselfTookHasItsOwnOrderHoweverMuchIsOfferedAfterIt() {
        let core = FileCore(file: AbsentFile(path: ""))
        var inbox = OfferInbox(core)
        _ = inbox.take(publication(1), from: core)
        inbox.takeForCaller(publication(2), from: core)
        #expect(inbox.order(of: 2, from: core) == 2)
        for number: UInt64 in [3, 4, 4] { _ = inbox.take(publication(number), from: core) }
        #expect(inbox.order(of: 2, from: core) == 2)
        #expect(inbox.order(of: 4, from: core) == 5)
        #expect(inbox.order(of: 1, from: core) == nil)
        let other = FileCore(file: AbsentFile(path: ""))
        #expect(inbox.order(of: 2, from: other) == nil)
        inbox.takeForCaller(publication(7), from: other)
        #expect(inbox.order(of: 2, from: core) == 2)
    }

    /// What a write does, up to where its thread may be held up: it is published, and not accepted yet.
    private func publish(_ encoding: Encoding, in file: GroupFile<Int>, _ transaction: Transaction) throws -> UInt64 {
        try transaction.lock.prepare(encoding.bytes, durability: .relaxed)
        let number = try transaction.core.publish(.bytes(encoding.bytes), by: file) { () throws(GroupFileError) in
            try transaction.lock.commit(.replace)
        }
        return try #require(number)
    }

    @Test func ourOwnValueDoesNotFollowANewerOneThatWasAccepted() throws {
        let folder = try TemporaryDirectory()
        let file = try GroupFile("v", in: try GroupContainer(directory: folder.path), initialValue: 0)
        let encoding = try file.encode(1)
        let transaction = try file.begin(nil)
        defer { transaction.lock.release() }
        let number = try publish(encoding, in: file, transaction)
        try folder.write("2\n", to: "v")
        transaction.core.refresh()
        #expect(file.value == 2)
        // Offered as well, but not accepted yet: these are no values, and their writer may not be done.
        for half in ["{", "{{"] {
            try folder.write(half, to: "v")
            transaction.core.refresh()
        }
        file.acceptOwn(1, encoding, number: number, from: transaction.core)
        #expect(file.value == 2)
    }

    /// After a write the value is no older than it, even if something newer, and bad, was accepted in between.
    @Test func G3_ourOwnValueIsTheLastGoodOne() throws {
        let folder = try TemporaryDirectory()
        let file = try GroupFile("v", in: try GroupContainer(directory: folder.path), initialValue: 0)
        let encoding = try file.encode(1)
        let transaction = try file.begin(nil)
        defer { transaction.lock.release() }
        let number = try publish(encoding, in: file, transaction)
        try folder.write("bad", to: "v")
        #expect(throws: GroupFileError.self) { try file.read() }
        #expect(file.value == 0)
        file.acceptOwn(1, encoding, number: number, from: transaction.core)
        #expect(file.value == 1)
        guard case .invalid(let error) = file.status else {
            Issue.record("\(file.status)")
            return
        }
        #expect(error.code == .undecodable)
    }
}
