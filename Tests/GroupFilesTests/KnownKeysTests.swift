import Foundation
import GroupFiles
import TestSupport
import Testing

/// Which keys a type knows: those that its decoding asks for, however it does that.
struct KnownKeysTests {
    /// Writes `value` over `text`, and returns what is there then.
    private func written<T: Codable & Sendable>(
        _ value: T, over text: String, codec: GroupCodec<T> = .json
    ) throws -> String {
        let bench = try Backend.memory.make()
        try bench.put(text, in: "v")
        try GroupFile("v", in: bench.container, initialValue: value, codec: codec).write(value)
        let written = try bench.text(of: "v")
        // Those who update get the same.
        try bench.put(text, in: "w")
        try GroupFile("w", in: bench.container, initialValue: value, codec: codec).update { $0 = value }
        #expect(try bench.text(of: "w") == written)
        #expect(written.hasSuffix("\n"))
        return String(written.dropLast())
    }

    struct Empty: Codable, Sendable {}

    @Test func aTypeThatAsksForNothingKeepsAll() throws {
        #expect(try written(Empty(), over: #"{"b":1,"a":[2]}"#) == #"{"a":[2],"b":1}"#)
    }

    class Base: Codable {
        var id = 1
        init() {}
    }

    final class Derived: Base {
        var name = "n"
        private enum CodingKeys: String, CodingKey { case name }

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            try super.init(from: try container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try super.encode(to: container.superEncoder())
        }
    }

    /// A class cannot be Sendable with a superclass; what holds it can.
    struct Holder: Codable, Sendable {
        var id = 1
        var name = "n"

        init() {}

        init(from decoder: any Decoder) throws {
            let derived = try Derived(from: decoder)
            (id, name) = (derived.id, derived.name)
        }

        func encode(to encoder: any Encoder) throws {
            let derived = Derived()
            (derived.id, derived.name) = (id, name)
            try derived.encode(to: encoder)
        }
    }

    @Test func superclassesKnowWhatIsTheirs() throws {
        #expect(
            try written(Holder(), over: #"{"super":{"id":7,"x":1},"name":"m","y":2}"#)
                == #"{"name":"n","super":{"id":1,"x":1},"y":2}"#)
        // The superclass came with a new version.
        let bench = try Backend.memory.make()
        try bench.put(#"{"name":"m"}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Holder())
        #expect(try file.read().name == "m")
        #expect(file.value.id == 1)
    }

    /// Two containers of one decoder.
    struct Flat: Codable, Sendable {
        private enum First: String, CodingKey { case a }
        private enum Second: String, CodingKey { case b }

        init() {}

        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: First.self).decode(Int.self, forKey: .a)
            _ = try decoder.container(keyedBy: Second.self).decodeIfPresent(Int.self, forKey: .b)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: First.self)
            try container.encode(0, forKey: .a)
        }
    }

    @Test func allContainersOfADecoderCount() throws {
        #expect(try written(Flat(), over: #"{"a":1,"b":2,"c":3}"#) == #"{"a":0,"c":3}"#)
    }

    struct Nested: Codable, Sendable {
        private enum Outer: String, CodingKey { case inner, list }
        private enum Inner: String, CodingKey { case a, gone }

        init() {}

        init(from decoder: any Decoder) throws {
            let outer = try decoder.container(keyedBy: Outer.self)
            let inner = try outer.nestedContainer(keyedBy: Inner.self, forKey: .inner)
            _ = try inner.decode(Int.self, forKey: .a)
            _ = inner.contains(.gone)
            var list = try outer.nestedUnkeyedContainer(forKey: .list)
            _ = try list.decode(Int.self)
        }

        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Outer.self)
            var inner = outer.nestedContainer(keyedBy: Inner.self, forKey: .inner)
            try inner.encode(0, forKey: .a)
            try outer.encode([0], forKey: .list)
        }
    }

    @Test func nestedContainersCount() throws {
        #expect(
            try written(Nested(), over: #"{"inner":{"a":1,"gone":1,"x":2},"list":[1,{}],"y":3}"#)
                == #"{"inner":{"a":0,"x":2},"list":[0],"y":3}"#)
    }

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
            try written(Dates(), over: old, codec: codec)
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
                $0.keyEncodingStrategy = .custom { Key($0.map(\.stringValue).joined(separator: "/").uppercased()) }
            },
            decoder: {
                $0.keyDecodingStrategy = .custom {
                    Key(String($0.last?.stringValue.lowercased().split(separator: "/").last ?? ""))
                }
            })
        #expect(
            try written(Shout(), over: #"{"LOUD":2,"OTHER":3,"INNER":{"INNER/QUIET":1,"INNER/OTHER":2}}"#, codec: codec)
                == #"{"INNER":{"INNER/OTHER":2},"LOUD":1,"OTHER":3}"#)
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    struct Few: Codable, Sendable {
        var a = 1
        var maybe: Int?
    }

    @Test(arguments: [
        // Keys are compared as they read.
        (#"{"\u0061":2,"b":3}"#, #"{"a":1,"b":3}"#),
        (#"{"m\u0061ybe":2}"#, #"{"a":1}"#),
        // Of those that are there twice the first counts; those that nobody asks for stay.
        (#"{"a":2,"a":"x","b":1,"b":2}"#, #"{"a":1,"b":1,"b":2}"#),
        (#"{"maybe":2,"maybe":3}"#, #"{"a":1}"#),
        // Where they go.
        (#"{"z":1}"#, #"{"a":1,"z":1}"#),
        (#"{"a":0,"":1,"A":2,"aa":3}"#, #"{"":1,"A":2,"a":1,"aa":3}"#),
        ("\u{FEFF}{ \"b\" :\n\t[ 1 ] }", "{\"a\":1,\"b\" :\n\t[ 1 ]}"),
        // Neither object is here.
        ("{}", #"{"a":1}"#),
    ])
    func keysAreReadAndPlaced(old: String, expected: String) throws {
        #expect(try written(Few(), over: old) == expected)
    }

    @Test func prettyTextStaysPretty() throws {
        let codec = GroupCodec<Few>.json(encoder: { $0.outputFormatting = .prettyPrinted })
        #expect(
            try written(Few(maybe: 2), over: #"{"b":{"c":1},"a":2,"z":[]}"#, codec: codec) == """
                {
                  "a" : 1,
                  "b":{"c":1},
                  "maybe" : 2,
                  "z":[]
                }
                """)
    }

    /// Of a kind that knows other keys for each kind.
    struct Kinds: Codable, Sendable {
        var isFirst = false
        private enum CodingKeys: String, CodingKey { case isFirst, one, other }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            isFirst = try container.decode(Bool.self, forKey: .isFirst)
            _ = try container.decode(Int.self, forKey: isFirst ? .one : .other)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(isFirst, forKey: .isFirst)
            try container.encode(0, forKey: isFirst ? .one : .other)
        }
    }

    @Test func whatCountsIsWhatWasAskedForOfWhatIsThere() throws {
        #expect(try written(Kinds(), over: #"{"isFirst":true,"one":1}"#) == #"{"isFirst":false,"other":0}"#)
        #expect(
            try written(Kinds(), over: #"{"isFirst":false,"one":1,"other":2}"#)
                == #"{"isFirst":false,"one":1,"other":0}"#)
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

    /// As deep as JSON goes, on a thread with a small stack.
    @Test func deepValuesAreCarriedThrough() async throws {
        let depth = 500
        let old =
            String(repeating: #"{"next":"#, count: depth - 1) + #"{"x":1}"# + String(repeating: "}", count: depth - 1)
        #expect(try await Task { try written(Chain.make(depth), over: old) }.value == old)
    }
}
