import Foundation
import PlainJSON
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Counts the work that it takes to find a number that does not fit.
struct DecodingTraceTests {
    @Test func aPathIsMadeOnlyWhereItIsTold() {
        let trace = DecodingTrace()
        var made = 0
        let place = {
            made += 1
            return [AnyKey("a")] as [any CodingKey]
        }
        for index in 0..<100 { trace.note(Int.self, AnyKey(index: index), in: place) }
        #expect(made == 0)
        #expect(trace.last?.path.map(\.stringValue) == ["a", "Index 99"])
        #expect(made == 1)
    }

    /// A decoder of nothing but ones, whose array counts how often it is copied before it moves on.
    private struct Ones: Decoder, UnkeyedDecodingContainer {
        private final class Token {}

        let copies: Log<Int>
        private var token = Token()
        private(set) var currentIndex = 0

        init(_ copies: Log<Int>) {
            self.copies = copies
        }

        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }
        var count: Int? { 1000 }
        var isAtEnd: Bool { currentIndex == 1000 }

        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
            if !isKnownUniquelyReferenced(&token) {
                copies.append(currentIndex)
                token = Token()
            }
            currentIndex += 1
            guard let one = 1 as? T else { throw CocoaError(.coderInvalidValue) }
            return one
        }

        func unkeyedContainer() throws -> any UnkeyedDecodingContainer { self }
        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            throw CocoaError(.coderInvalidValue)
        }
        func singleValueContainer() throws -> any SingleValueDecodingContainer { throw CocoaError(.coderInvalidValue) }
        func decodeNil() throws -> Bool { false }
        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) throws -> KeyedDecodingContainer<NestedKey> { try container(keyedBy: type) }
        func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { self }
        func superDecoder() throws -> any Decoder { self }
    }

    /// The array is not copied once more for each element that the trace notes.
    @Test func anArrayIsCopiedOnce() throws {
        let copies = Log<Int>()
        let numbers = try [Int](from: TracingDecoder(real: Ones(copies), trace: DecodingTrace()))
        #expect(numbers.count == 1000)
        #expect(copies.elements == [0])
    }

    private struct Branch: Decodable {
        static let decoded = Guarded(0)
        let branches: [String: Branch]
        let number: Int

        private enum CodingKeys: CodingKey { case branches, number }

        init(from decoder: any Decoder) throws {
            Self.decoded.withLock { $0 += 1 }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            branches = try container.decode([String: Branch].self, forKey: .branches)
            number = try container.decode(Int.self, forKey: .number)
        }
    }

    /// An element is not decoded once more for each dictionary around it.
    @Test func eachElementIsDecodedOnceMore() throws {
        let depth = 20
        var text = #"{"branches":{},"number":1}"#
        for level in 0..<depth {
            text = "{\"branches\":{\"a\":\(text)},\"number\":\(level == depth - 1 ? "1.5" : "1")}"
        }
        let data = Data(text.utf8)
        let error = #expect(throws: DecodingError.self) {
            try UnplacedFailure.located(in: data, KeyNames(JSONDecoder())) { trace in
                guard let trace else { return try JSONDecoder().decode(Branch.self, from: data) }
                return try JSONDecoder().decode(Traced<Branch>.self, from: data, configuration: trace).value
            }
        }
        guard case .dataCorrupted(let context) = error else { throw try #require(error) }
        #expect(context.debugDescription == "The number 1.5 does not fit Int")
        #expect(Branch.decoded.withLock { $0 } == 2 * (depth + 1))
    }
}
