import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Codecs that change the very value which they encode or decode.
struct NestedCodecTests {
    enum Change: CaseIterable, Sendable {
        case write, update, remove, asyncWrite, asyncUpdate, asyncRemove

        func make(on file: GroupFile<Int>) async throws {
            switch self {
            case .write: try await blocking { try file.write(2) }
            case .update: try await blocking { try file.update { $0 += 1 } }
            case .remove: try await blocking { try file.remove() }
            case .asyncWrite: try await file.write(2)
            case .asyncUpdate: try await file.update { $0 += 1 }
            case .asyncRemove: try await file.remove()
            }
        }
    }

    /// A codec of numbers that calls the hook, once it is set, before it encodes or decodes.
    private func codec(
        encoding: Bool, _ hook: @escaping @Sendable () -> (@Sendable () -> Void)?
    ) -> GroupCodec<Int> {
        encoding ? .decimal(encoding: { _ in hook()?() }) : .decimal(decoding: { _ in hook()?() })
    }

    /// The change would wait for the lock that is held while the codec encodes. Where a value is encoded before the
    /// lock is taken, a change within is not nested.
    @Test(arguments: Backend.allCases, [Change.update, .asyncUpdate])
    func aChangeWithinEncodingIsNested(backend: Backend, change: Change) async throws {
        let bench = try backend.make()
        let hook = Guarded<(@Sendable () -> Void)?>(nil)
        let file = try GroupFile(
            "v", in: bench.container, initialValue: 1, codec: codec(encoding: true) { hook.withLock { $0 } })
        let same = try GroupFile(
            "v", in: bench.container, initialValue: Data(), codec: .data, lockTimeout: .seconds(1))
        let codes = Log<GroupFileError.Code?>()
        hook.withLock {
            $0 = {
                for attempt in [{ try same.write(Data("7".utf8)) }, { try same.remove() }] {
                    do { try attempt() } catch { codes.append((error as? GroupFileError)?.code) }
                }
            }
        }
        try await change.make(on: file)
        hook.withLock { $0 = nil }
        #expect(codes.elements.count >= 2 && codes.elements.allSatisfy { $0 == .nested }, "\(codes.elements)")
        #expect(file.value == 2)
    }

    /// Otherwise the write would encode, and so write again, until the stack overflows. Within an update the nesting is
    /// noticed at once.
    @Test(arguments: Backend.allCases, [Change.write, .update, .asyncWrite, .asyncUpdate])
    func aWriteWithinEncodingIsNested(backend: Backend, change: Change) async throws {
        let bench = try backend.make()
        let opened = Guarded<GroupFile<Int>?>(nil)
        let codes = Log<GroupFileError.Code>()
        let file = try GroupFile(
            "v", in: bench.container, initialValue: 1,
            codec: codec(encoding: true) {
                guard let file = opened.withLock({ $0 }) else { return nil }
                return {
                    do throws(GroupFileError) { try file.write(7) } catch { codes.append(error.code) }
                }
            })
        opened.withLock { $0 = file }
        defer { opened.withLock { $0 = nil } }
        try await change.make(on: file)
        #expect(codes.elements.first == .nested)
        #expect(change == .write || change == .asyncWrite || codes.elements.count == 1, "\(codes.elements)")
        #expect(file.value == 2)
    }

    /// What another program wrote is decoded under the lock, too, where no event has reported it yet.
    @Test(arguments: Change.allCases)
    func aChangeWithinDecodingUnderTheLockIsNested(change: Change) async throws {
        // A removal does not decode the value. For an update, a job of the pool may already have done so.
        let decodes = change != .remove && change != .asyncRemove
        var nested = 0
        for round in 0..<100 where round < 5 || decodes && nested == 0 {
            let bench = try Backend.polling.make()
            let hook = Guarded<(@Sendable () -> Void)?>(nil)
            // A job of the pool does not hold the lock, and may wait for it as long as a busy machine needs.
            let coding = codec(encoding: false) {
                SystemCalls.Thread.isMarked ? nil : hook.withLock { $0.take() }
            }
            let file = try GroupFile("v", in: bench.container, initialValue: 1, codec: coding)
            let same = try GroupFile(
                "v", in: bench.container, initialValue: Data(), codec: .data, lockTimeout: .seconds(10))
            let codes = Log<GroupFileError.Code?>()
            hook.withLock {
                $0 = {
                    do throws(GroupFileError) {
                        try same.write(Data("7".utf8))
                        codes.append(nil)
                    } catch {
                        codes.append(error.code)
                    }
                }
            }
            try bench.put("5", in: "v")
            try await change.make(on: file)
            hook.withLock { $0 = nil }
            try #require(!codes.elements.contains(.timedOut))
            nested += codes.elements.count { $0 == .nested }
        }
        #expect(nested > 0 || !decodes)
    }

    /// Decoding reads the value that was accepted before, instead of decoding again and again until the stack
    /// overflows.
    @Test(arguments: Backend.allCases)
    func decodingMayReadTheValue(backend: Backend) async throws {
        let bench = try backend.make()
        let opened = Guarded<GroupFile<Int>?>(nil)
        let seen = Log<Int>()
        let file = try GroupFile(
            "v", in: bench.container, initialValue: 1,
            codec: codec(encoding: false) {
                guard let file = opened.withLock({ $0 }) else { return nil }
                return { seen.append(file.value) }
            })
        opened.withLock { $0 = file }
        defer { opened.withLock { $0 = nil } }
        try bench.put("5", in: "v")
        #expect(try await file.read() == 5)
        #expect(file.value == 5)
        #expect(Set(seen.elements).isSubset(of: [1, 5]) && !seen.elements.isEmpty)
    }
}
