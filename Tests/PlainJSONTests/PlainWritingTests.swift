import Foundation
import PlainJSON
import Testing

/// The plain way writes what `JSONEncoder` writes, or nothing.
struct PlainWritingTests {
    private func expect<Value: Codable & Sendable>(
        _ verdict: Shape.Verdict, _ value: Value, at place: SourceLocation = #_sourceLocation
    ) {
        #expect(Shape.encoding(value) == verdict, "\(value)", sourceLocation: place)
    }

    @Test func keysAreInJSONEncodersOrder() {
        let keys = [
            "a", "B", "a1", "a10", "a2", "A", "_", " ", "!", "", "aa", "~", "a/b", "0", "9", "10", "b", "\u{7F}",
        ]
        expect(.agrees, Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
        expect(.agrees, ["b": ["d": 1, "c": 2], "a": ["f": 3, "e": 4]])
        expect(
            .agrees, Dictionary(uniqueKeysWithValues: (0..<500).map { ("k\($0)", String(repeating: "x", count: $0)) }))
        for key in ["é", "\u{212A}", "\"", "\\", "\n"] { expect(.left, [key: 1, "z": 2]) }
    }

    @Test func stringsAreWrittenAsJSONEncoderWritesThem() {
        for scalar in (0..<0x300).compactMap(Unicode.Scalar.init) {
            let isEscaped = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            expect(isEscaped ? .left : .agrees, ["a\(scalar)b"])
        }
        expect(
            .agrees,
            [
                "", "é😀\u{2028}\u{FEFF}\u{FFFF}", "\u{FEFF}", "e\u{301}", "</script>",
                String(repeating: "x", count: 9999),
            ])
    }

    /// Types that encode themselves in unusual ways.
    struct By: Codable, Sendable {
        let way: Int
        init(way: Int) { self.way = way }
        init(from decoder: any Decoder) throws { way = 0 }

        func encode(to encoder: any Encoder) throws {
            switch way {
            case 0: break  // Nothing.
            case 1:
                var container = encoder.container(keyedBy: Odd.Keys.self)
                try container.encode(1, forKey: .a)
                try container.encode(2, forKey: .a)
            case 2:
                var container = encoder.container(keyedBy: Odd.Keys.self)
                try container.encode(1, forKey: .b)
                var again = encoder.container(keyedBy: Odd.AnyName.self)
                try again.encode(2, forKey: Odd.AnyName(stringValue: "a"))
                try container.encode(3, forKey: .c)
            case 3:
                var container = encoder.container(keyedBy: Odd.Keys.self)
                try? container.encode(Failing(), forKey: .b)
                try container.encode(1, forKey: .a)
            case 4:
                var container = encoder.container(keyedBy: Odd.Keys.self)
                var nested = container.nestedContainer(keyedBy: Odd.Keys.self, forKey: .d)
                try nested.encode("x", forKey: .b)
                var list = nested.nestedUnkeyedContainer(forKey: .a)
                try list.encodeNil()
                try container.encode(true, forKey: .c)
                try Stored.Tree(a: 1).encode(to: container.superEncoder(forKey: .a))
                _ = container.nestedUnkeyedContainer(forKey: .b)
            case 5:
                var container = encoder.container(keyedBy: Odd.Keys.self)
                var first = container.nestedContainer(keyedBy: Odd.Keys.self, forKey: .b)
                var second = container.nestedContainer(keyedBy: Odd.Keys.self, forKey: .a)
                try second.encode(1, forKey: .a)
                try first.encode(2, forKey: .a)
            case 6:
                var list = encoder.unkeyedContainer()
                try 1.encode(to: list.superEncoder())
                try list.encode(2)
            case 7:
                let container = encoder.singleValueContainer()
                _ = container
                var list = encoder.unkeyedContainer()
                var inner = list.nestedContainer(keyedBy: Odd.Keys.self)
                try inner.encode(1, forKey: .a)
                try list.encode([1, 2])
                try list.nestedUnkeyedContainer().codingPath.isEmpty ? () : list.encodeNil()
            case 8: try By(way: 2).encode(to: encoder)
            case 9: throw CancellationError()
            case 10:
                var container = encoder.container(keyedBy: Odd.Keys.self)
                _ = container.superEncoder()
                try container.encode(1, forKey: .a)
            case 12:
                var container = encoder.singleValueContainer()
                try container.encode(Stored.Tree(a: 1))
                var object = encoder.container(keyedBy: Odd.Keys.self)
                try object.encode(2, forKey: .b)
            case 13:
                var list = encoder.unkeyedContainer()
                _ = list.superEncoder()
                try list.encode(2)
            default: _ = encoder.container(keyedBy: Odd.Keys.self)
            }
        }
    }

    struct Failing: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            throw CancellationError()
        }
    }

    @Test func valuesMayWriteInWaysOfTheirOwn() {
        for way in [2, 4, 8, 11] {
            expect(.agrees, By(way: way))
            expect(.agrees, [By(way: way), By(way: way)])
            expect(.agrees, ["b": By(way: way), "a": By(way: way)])
        }
        for way in [0, 1, 3, 5, 6, 7, 9, 10, 12, 13] {
            expect(.left, By(way: way))
            expect(.left, ["b": By(way: way), "a": By(way: 2)])
        }
    }

    @Test func whatIsNestedTooDeeplyIsLeft() {
        for (depth, verdict) in [(10, Shape.Verdict.agrees), (40, .left), (300, .left)] {
            let tree = (0..<depth).reduce(Stored.Tree(a: 0)) { tree, _ in Stored.Tree(children: [tree]) }
            #expect(Shape.encoding(tree) == verdict)
            let text = String(repeating: #"{"children":["#, count: depth) + String(repeating: "]}", count: depth)
            let found = PlainCodec<Stored.Tree>().value(in: Array(text.utf8))
            #expect((found == nil) == (verdict == .left))
        }
    }

    /// Contents that are not plain cost extra only for a while. The plain way is not given up for a type that is seldom
    /// plain.
    @Test func whatIsInVainIsNotTriedForEver() {
        let plain = PlainCodec<Stored.Tree>()
        let (good, odd) = (Array(#"{"a":1}"#.utf8), Array(#"{"\u0061":1}"#.utf8))
        for _ in 0..<100 {
            for _ in 0..<15 { #expect(plain.value(in: odd) == nil) }
            #expect(plain.value(in: good) != nil)
        }
        for _ in 0..<16 { #expect(plain.value(in: odd) == nil) }
        #expect(plain.value(in: good) == nil)
        let link = PlainCodec<Stored.Wrapped<URL?>>()
        #expect(link.value(in: Array(#"{"value":null}"#.utf8)) != nil)
        #expect(link.value(in: Array(#"{"value":"x"}"#.utf8)) == nil)
        #expect(link.value(in: Array(#"{"value":null}"#.utf8)) != nil)
    }
}
