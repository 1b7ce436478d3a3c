import GroupFiles
import Testing

/// The keys that a type knows: those that its decoding asks for, in whatever way.
struct KnownKeysTests {
    struct Empty: Codable, Sendable {}

    @Test func aTypeThatAsksForNothingKeepsAll() throws {
        #expect(try Bench.written(Empty(), over: #"{"b":1,"a":[2]}"#) == #"{"a":[2],"b":1}"#)
    }

    /// For the widest integers the standard library has default implementations, wherever a container has none.
    struct Wide: Codable, Sendable, Equatable {
        var id: UInt128 = 1
        var maybe: Int128? = 2
        @CarriedTextTests.Wrapped var wrapped: Int128 = 3
        var port: Int8 = 4

        static func == (one: Wide, other: Wide) -> Bool {
            one.id == other.id && one.maybe == other.maybe && one.wrapped == other.wrapped && one.port == other.port
        }
    }

    @Test(arguments: Backend.allCases) func integersOfEveryWidthAreKnown(backend: Backend) throws {
        let written = #"{"id":1,"maybe":2,"port":4,"u":7,"wrapped":3}"#
        #expect(try Bench.written(Wide(), over: #"{"id":9,"maybe":9,"port":9,"u":7,"wrapped":9}"#) == written)
        #expect(try Bench.written(Wide(), over: #"{"port":9,"u":7}"#) == written)
        let bench = try backend.make()
        try bench.put(#"{"port":9,"u":7}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Wide())
        #expect(try file.read() == Wide(maybe: nil, port: 9))
        @GroupValue("v", in: bench.container) var value = Wide()
        value.id = 5
        #expect(try bench.text(of: "v") == #"{"id":5,"port":9,"u":7,"wrapped":3}"# + "\n")
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

    /// A class with a superclass cannot be Sendable; a struct that holds it can.
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
            try Bench.written(Holder(), over: #"{"super":{"id":7,"x":1},"name":"m","y":2}"#)
                == #"{"name":"n","super":{"id":1,"x":1},"y":2}"#)
        // A new version added the superclass.
        let bench = try Backend.memory.make()
        try bench.put(#"{"name":"m"}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Holder())
        #expect(try file.read().name == "m")
        #expect(file.value.id == 1)
    }

    /// A type that asks one decoder for two containers.
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
        #expect(try Bench.written(Flat(), over: #"{"a":1,"b":2,"c":3}"#) == #"{"a":0,"c":3}"#)
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
            try Bench.written(Nested(), over: #"{"inner":{"a":1,"gone":1,"x":2},"list":[1,{}],"y":3}"#)
                == #"{"inner":{"a":0,"x":2},"list":[0],"y":3}"#)
    }

    /// A type that asks for different keys for each kind of value.
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
        #expect(try Bench.written(Kinds(), over: #"{"isFirst":true,"one":1}"#) == #"{"isFirst":false,"other":0}"#)
        #expect(
            try Bench.written(Kinds(), over: #"{"isFirst":false,"one":1,"other":2}"#)
                == #"{"isFirst":false,"one":1,"other":0}"#)
    }
}
