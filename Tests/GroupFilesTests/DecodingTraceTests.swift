import Foundation
import PlainJSON
import SystemCalls
import Testing

@testable import GroupFiles

/// What it takes to find a number that does not fit, counted.
struct DecodingTraceTests {
    @Test func aPathIsMadeOnlyWhereItIsTold() {
        let trace = DecodingTrace()
        var made = 0
        func path(_ index: Int) -> [any CodingKey] {
            made += 1
            return [AnyKey(index: index)]
        }
        for index in 0..<100 { trace.note(Int.self, at: path(index)) }
        #expect(made == 0)
        #expect(trace.last?.path.map(\.intValue) == [99])
        #expect(made == 1)
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

    /// Not once more for each dictionary around it.
    @Test func eachElementIsDecodedOnceMore() throws {
        let depth = 20
        var text = #"{"branches":{},"number":1}"#
        for level in 0..<depth {
            text = "{\"branches\":{\"a\":\(text)},\"number\":\(level == depth - 1 ? "1.5" : "1")}"
        }
        let data = Data(text.utf8)
        let error = #expect(throws: DecodingError.self) {
            try UnrepresentableNumber.located(in: data) { trace in
                guard let trace else { return try JSONDecoder().decode(Branch.self, from: data) }
                return try JSONDecoder().decode(Traced<Branch>.self, from: data, configuration: trace).value
            }
        }
        guard case .dataCorrupted(let context) = error else { throw try #require(error) }
        #expect(context.debugDescription == "The number 1.5 does not fit Int")
        #expect(Branch.decoded.withLock { $0 } == 2 * (depth + 1))
    }
}
