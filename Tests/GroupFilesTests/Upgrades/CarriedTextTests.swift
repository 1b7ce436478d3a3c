import Foundation
import GroupFiles
import PlainJSON
import Testing

/// Members that are carried over as text: they are found by their names in the JSON, and put in their place.
struct CarriedTextTests {
    @propertyWrapper struct Wrapped<Value: Codable & Sendable>: Codable, Sendable {
        var wrappedValue: Value

        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

        init(from decoder: any Decoder) throws {
            wrappedValue = try decoder.singleValueContainer().decode(Value.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }

    struct Dates: Codable, Sendable {
        @Wrapped var date = Date(timeIntervalSince1970: 1)
        @Wrapped var page = URL(filePath: "/a")
        @Wrapped var bytes = Data([1])
        @Wrapped var price: Decimal = 1
        @Wrapped var inner = Inner()
        @Wrapped var map = ["some_key": Date(timeIntervalSince1970: 2)]
        var maybe: Date? = Date(timeIntervalSince1970: 3)

        struct Inner: Codable, Sendable {
            var date = Date(timeIntervalSince1970: 4)
        }
    }

    @Test(arguments: [false, true])
    func valuesThatJSONHasItsOwnWayWithAreWhole(isSnakeCase: Bool) throws {
        let codec = GroupCodec<Dates>.json(
            encoder: {
                $0.dateEncodingStrategy = .custom { date, encoder in
                    var container = encoder.container(keyedBy: DateKey.self)
                    try container.encode(date.timeIntervalSince1970, forKey: .seconds)
                }
                $0.dataEncodingStrategy = .deferredToData
                if isSnakeCase { $0.keyEncodingStrategy = .convertToSnakeCase }
            },
            decoder: {
                $0.dateDecodingStrategy = .custom { decoder in
                    let container = try decoder.container(keyedBy: DateKey.self)
                    return Date(timeIntervalSince1970: try container.decode(Double.self, forKey: .seconds))
                }
                $0.dataDecodingStrategy = .deferredToData
                if isSnakeCase { $0.keyDecodingStrategy = .convertFromSnakeCase }
            })
        let old =
            #"{"x":1,"date":{"seconds":9,"x":1},"page":"file:///b","bytes":[2],"price":2,"#
            + #""inner":{"date":{"seconds":9,"x":1},"x":1},"map":{"other_key":{"seconds":9}},"maybe":{"seconds":9,"x":1}}"#
        #expect(
            try Bench.written(Dates(), over: old, codec: codec)
                == #"{"bytes":[1],"date":{"seconds":1},"inner":{"date":{"seconds":4},"x":1},"#
                + #""map":{"some_key":{"seconds":2}},"maybe":{"seconds":3},"page":"file:///a","price":1,"x":1}"#)
    }

    private enum DateKey: String, CodingKey { case seconds }

    struct Shout: Codable, Sendable {
        var loud = 1
        var inner: Inner? = Inner()

        struct Inner: Codable, Sendable { var quiet: Int? }
    }

    @Test func ownKeyStrategiesAreFollowed() throws {
        let codec = GroupCodec<Shout>.json(
            encoder: {
                $0.keyEncodingStrategy = .custom { AnyKey($0.map(\.stringValue).joined(separator: "/").uppercased()) }
            },
            decoder: {
                $0.keyDecodingStrategy = .custom { path in
                    let start = path.dropLast().map { $0.stringValue.uppercased() + "/" }.joined()
                    let key = path.last?.stringValue ?? ""
                    return AnyKey(key.hasPrefix(start) ? key.dropFirst(start.count).lowercased() : "elsewhere")
                }
            })
        #expect(
            try Bench.written(
                Shout(), over: #"{"LOUD":2,"OTHER":3,"INNER":{"INNER/QUIET":1,"INNER/OTHER":2}}"#, codec: codec)
                == #"{"INNER":{"INNER/OTHER":2},"LOUD":1,"OTHER":3}"#)
    }

    struct Empty: Codable, Sendable {}

    struct Few: Codable, Sendable {
        var a = 1
        var maybe: Int?
        var inner: Empty?
    }

    @Test(arguments: [
        // Keys are compared after their escapes are decoded.
        (#"{"\u0061":2,"b":3}"#, #"{"a":1,"b":3}"#),
        (#"{"m\u0061ybe":2}"#, #"{"a":1}"#),
        // Of duplicate keys the first counts; duplicates of unknown keys stay.
        (#"{"a":2,"a":"x","b":1,"b":2}"#, #"{"a":1,"b":1,"b":2}"#),
        (#"{"maybe":2,"maybe":3}"#, #"{"a":1}"#),
        (#"{"inner":{"x":1},"inner":{"y":2}}"#, #"{"a":1,"inner":{"x":1}}"#),
        // Where unknown keys are placed.
        (#"{"z":1}"#, #"{"a":1,"z":1}"#),
        (#"{"a":0,"":1,"A":2,"aa":3}"#, #"{"":1,"A":2,"a":1,"aa":3}"#),
        ("\u{FEFF}{ \"b\" :\n\t[ 1 ] }", "{\"a\":1,\"b\" :\n\t[ 1 ]}"),
        // The old value has none of the keys.
        ("{}", #"{"a":1}"#),
    ])
    func keysAreReadAndPlaced(old: String, expected: String) throws {
        let inner = old.contains("inner") ? Empty() : nil
        #expect(try Bench.written(Few(inner: inner), over: old) == expected)
    }

    @Test func prettyTextStaysPretty() throws {
        let codec = GroupCodec<Few>.json(encoder: { $0.outputFormatting = .prettyPrinted })
        #expect(
            try Bench.written(Few(maybe: 2), over: #"{"b":{"c":1},"a":2,"z":[]}"#, codec: codec) == """
                {
                  "a" : 1,
                  "b":{"c":1},
                  "maybe" : 2,
                  "z":[]
                }
                """)
    }

    final class Chain: Codable, Sendable {
        let next: Chain?
        init(_ next: Chain?) { self.next = next }

        static func make(_ depth: Int) -> Chain {
            var chain = Chain(nil)
            for _ in 1..<depth { chain = Chain(chain) }
            return chain
        }
    }

    /// Values as deep as the parser allows, on a thread with a small stack.
    @Test func deepValuesAreCarriedThrough() async throws {
        let depth = 500
        let old =
            String(repeating: #"{"next":"#, count: depth - 1) + #"{"x":1}"# + String(repeating: "}", count: depth - 1)
        #expect(try await Task { try Bench.written(Chain.make(depth), over: old) }.value == old)
    }

    struct Editor: Codable, Sendable {
        struct Window: Codable, Sendable { var width = 1 }

        var myWindow = Window()
    }

    /// A key strategy that came with a new version, or that reads more spellings than it writes.
    @Test func whatIsUnderAKeyIsKeptUnderItsNewSpelling() throws {
        let snake = GroupCodec<Editor>.json(
            encoder: { $0.keyEncodingStrategy = .convertToSnakeCase },
            decoder: { $0.keyDecodingStrategy = .convertFromSnakeCase })
        #expect(
            try Bench.written(Editor(), over: #"{"myWindow":{"width":9,"zoom":2}}"#, codec: snake)
                == #"{"my_window":{"width":1,"zoom":2}}"#)
        let reading = GroupCodec<Editor>.json(decoder: { $0.keyDecodingStrategy = .convertFromSnakeCase })
        #expect(
            try Bench.written(Editor(), over: #"{"my_window":{"width":9,"zoom":2}}"#, codec: reading)
                == #"{"myWindow":{"width":1,"zoom":2}}"#)
    }

    @Test func aDecoderThatAssumesAnObjectCarriesOverFromJSON() throws {
        let codec = GroupCodec<Editor>.json(
            encoder: { $0.keyEncodingStrategy = .convertToSnakeCase },
            decoder: { decoder in
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                decoder.assumesTopLevelDictionary = true
            })
        #expect(
            try Bench.written(Editor(), over: #"{"my_window":{"width":9,"zoom":2},"un_known":3}"#, codec: codec)
                == #"{"my_window":{"width":1,"zoom":2},"un_known":3}"#)
    }

    struct Short: Codable, Sendable { var f = 1 }

    /// Keys are ordered by scalars, as JSONEncoder sorts them: comparing Strings may give another order.
    @Test func keysGoWhereJSONEncoderWouldPutThem() throws {
        #expect(
            try Bench.written(Short(), over: "{\"\u{E9}\":3,\"f\":2,\"e\u{301}x\":1}")
                == "{\"e\u{301}x\":1,\"f\":1,\"\u{E9}\":3}")
    }
}
