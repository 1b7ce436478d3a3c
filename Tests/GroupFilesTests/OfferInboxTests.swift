import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct OfferInboxTests {
    private func publication(_ number: UInt64) -> Publication {
        Publication(number: number, content: .bytes([UInt8(number)]), isSettled: true, mayBeHalf: false, isOwn: true)
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
        inbox.takeForCaller(publication(4), from: core)
        _ = inbox.take(publication(5), from: core)
        #expect(inbox.order(of: 4, from: core) == 5)
        // Another core counts its own numbers.
        inbox.core = other
        for number: UInt64 in [5, 4] { #expect(inbox.order(of: number, from: other) == nil) }
        inbox.takeForCaller(publication(5), from: other)
        #expect(inbox.order(of: 5, from: other) == 7)
    }

    /// A file whose changes can be held up between publishing and accepting.
    private struct Bench {
        let folder: TemporaryDirectory
        let file: GroupFile<Int>

        init() throws {
            folder = try TemporaryDirectory()
            file = try GroupFile("v", in: try GroupContainer(directory: folder.path), initialValue: 0)
        }

        /// Publishes 1, and accepts it only after `meanwhile`.
        func write(meanwhile: (FileCore) async throws -> Void) async throws {
            let encoding = try file.encode(1)
            let transaction = try file.begin(nil)
            defer { transaction.lock.release() }
            try transaction.lock.prepare(encoding.bytes, durability: .relaxed)
            let number = try transaction.core.publish(.bytes(encoding.bytes), by: file) { () throws(GroupFileError) in
                try transaction.lock.commit(.replace)
            }
            try await meanwhile(transaction.core)
            file.acceptOwn(1, encoding, number: try #require(number), from: transaction.core)
        }

        /// Publishes a removal, and accepts it only after `meanwhile`.
        func remove(meanwhile: () async throws -> Void) async throws {
            let transaction = try file.begin(nil)
            defer { transaction.lock.release() }
            let number = try transaction.core.publish(.missing, by: file) { () throws(GroupFileError) in
                try transaction.lock.commitRemoval()
                return true
            }
            try await meanwhile()
            file.acceptOwnRemoval(number: try #require(number), from: transaction.core)
        }

        func writeBad() async throws {
            try folder.write("bad", to: "v")
            let error = await #expect(throws: GroupFileError.self) { try await file.read() }
            #expect(error?.code == .undecodable, "\(String(describing: error))")
            // The status changes later where the write's event comes only now: the writer might still be at work.
            #expect(await eventually { isInvalid })
        }

        var isInvalid: Bool { if case .invalid = file.status { true } else { false } }
    }

    @Test func G3_ourOwnValueDoesNotFollowANewerOneThatWasAccepted() async throws {
        let bench = try Bench()
        try await bench.write { core in
            try bench.folder.write("2\n", to: "v")
            core.refresh()
            #expect(bench.file.value == 2)
            // These are offered as well, but not accepted yet: they do not decode, and their writer may not be done.
            for half in ["{", "{{"] {
                try bench.folder.write(half, to: "v")
                core.refresh()
            }
        }
        #expect(bench.file.value == 2)
    }

    /// After a write the value is no older than the written one, even if newer, bad content was accepted in between.
    @Test func G3_ourOwnValueIsTheLastGoodOne() async throws {
        let bench = try Bench()
        try await bench.write { _ in
            try await bench.writeBad()
            #expect(bench.file.value == 0)
        }
        #expect(bench.file.value == 1)
        #expect(bench.isInvalid)
    }

    @Test func G3_ourOwnRemovalIsTheLastGoodOne() async throws {
        let bench = try Bench()
        try await bench.file.write(5)
        try await bench.remove {
            try await bench.writeBad()
            #expect(bench.file.value == 5)
        }
        #expect(bench.file.value == 0)
        #expect(bench.isInvalid)
    }

    private final class Listener: CoreListener {
        let maximumSize = 100
        let taken = Guarded<[UInt64]>([])

        func offer(_ publication: Publication, from core: FileCore) -> Bool { false }
        func take(_ publication: Publication, from core: FileCore) { taken.withLock { $0.append(publication.number) } }
        func acceptOfferAsJob() {}
    }

    /// The same content may have been offered as another writer's, and not be accepted yet.
    @Test func G3_ourOwnValueThatWasThereAlreadyIsTheLastGoodOne() throws {
        let core = FileCore(file: AbsentFile(path: ""))
        let listener = Listener()
        for _ in 0..<2 { _ = try core.publish(.bytes([1]), by: listener) { () throws(GroupFileError) in true } }
        #expect(listener.taken.withLock { $0 } == [1, 1])
    }

    /// Decoding the bad content took longer than decoding the value that came after it.
    @Test func aFailureDoesNotFollowANewerValue() async throws {
        let hasBegun = Guarded(false)
        let goOn = DispatchSemaphore(value: 0)
        let codec = GroupCodec<String>(
            encode: { Data($0.utf8) },
            decode: { data in
                if data != Data("bad".utf8) { return String(decoding: data, as: UTF8.self) }
                hasBegun.withLock { $0 = true }
                goOn.wait()
                throw CocoaError(.coderInvalidValue)
            })
        let container = GroupContainer.inMemory()
        let file = try GroupFile("v", in: container, initialValue: "first", codec: codec)
        let writer = try GroupFile("v", in: container, initialValue: Data(), codec: .data)
        try await writer.write(Data("bad".utf8))
        #expect(await eventually { hasBegun.withLock { $0 } })
        try await writer.write(Data("good".utf8))
        #expect(try await file.read() == "good")
        goOn.signal()
        #expect(await !eventually(within: .milliseconds(200)) { file.status != .current })
    }
}
