import Foundation
import GroupFiles
import PlainJSON
import Testing

/// A type can do without the keys that it asks for with `try?`: the initial value fills in only where decoding fails.
struct LenientTypeTests {
    enum Choice: Codable, Sendable, Equatable {
        case number(Int)
        case box(Box)

        struct Box: Codable, Sendable, Equatable {
            var x = 1
            var y = 2
        }

        private enum CodingKeys: CodingKey { case number, box }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if let number = try? container.decode(Int.self, forKey: .number) {
                self = .number(number)
            } else {
                self = .box(try container.decode(Box.self, forKey: .box))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .number(let number): try container.encode(number, forKey: .number)
            case .box(let box): try container.encode(box, forKey: .box)
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func whatIsThereIsChosen(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: Choice.number(1))
        try bench.put(#"{"box":{"future":9,"x":7,"y":8}}"#, in: "v")
        try file.update { $0 = .box(.init(x: 7, y: 9)) }
        #expect(try bench.text(of: "v") == #"{"box":{"future":9,"x":7,"y":9}}"# + "\n")
        // The missing key belongs to another choice than the initial value's.
        let lacking = #"{"box":{"x":7}}"#
        try bench.put(lacking, in: "v")
        let error = #expect(throws: GroupFileError.self) { try file.read() }
        #expect(error?.codingPath == "box.y")
        #expect(throws: GroupFileError.self) { try file.update { _ in } }
        #expect(try bench.text(of: "v") == lacking)
        try bench.put(lacking, in: "w")
        let boxes = try GroupFile("w", in: bench.container, initialValue: Choice.box(.init()))
        #expect(try boxes.read() == .box(.init(x: 7, y: 2)))
    }

    struct Lenient: Codable, Sendable, Equatable {
        var theme = "light"
        var nick: String?
        var size = 12
        var inner = Inner()
        var last = 3

        struct Inner: Codable, Sendable, Equatable {
            var a = 1
            var b = 2
        }

        init(theme: String = "light", nick: String? = nil, size: Int = 12, inner: Inner = Inner()) {
            (self.theme, self.nick, self.size, self.inner) = (theme, nick, size, inner)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            nick = try? container.decode(String.self, forKey: .nick)
            theme = try container.decode(String.self, forKey: .theme)
            size = (try? container.decode(Int.self, forKey: .size)) ?? 10
            inner = try container.decode(Inner.self, forKey: .inner)
            last = try container.decode(Int.self, forKey: .last)
        }
    }

    @Test(arguments: [
        (#"{"theme":"dark","inner":{"a":5,"b":6}}"#, Lenient(theme: "dark", size: 10, inner: .init(a: 5, b: 6))),
        (#"{"theme":"dark"}"#, Lenient(theme: "dark", size: 10)), ("{}", Lenient(size: 10)),
        (#"{"inner":{}}"#, Lenient(size: 10)), (#"{"inner":{"b":7},"size":3}"#, Lenient(size: 3, inner: .init(b: 7))),
        // Keys that were decoded before another one was found to be missing.
        (#"{"inner":{"a":5,"b":6,"z":1}}"#, Lenient(size: 10, inner: .init(a: 5, b: 6))),
    ])
    func whatItCanDoWithoutStaysMissing(text: String, expected: Lenient) throws {
        let bench = try Backend.memory.make()
        try bench.put(text.dropLast() + (text == "{}" ? "" : ",") + #""u":1}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Lenient(nick: "Ann"))
        #expect(try file.read() == expected)
        try file.update { $0.theme = "x" }
        #expect(try file.read().nick == nil)
        let written = try bench.text(of: "v")
        #expect(written.hasSuffix(#""theme":"x","u":1}"# + "\n"))
        #expect(written.contains(#""z":1"#) == text.contains(#""z""#))
    }

    /// A type one of whose keys was renamed: it accepts either name.
    struct Renamed: Codable, Sendable, Equatable {
        var list = [1, 2]
        var theme = "light"

        private enum CodingKeys: CodingKey { case list, theme }
        private enum OldKeys: CodingKey { case item }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            do {
                list = try container.decode([Int].self, forKey: .list)
            } catch {
                list = [try decoder.container(keyedBy: OldKeys.self).decode(Int.self, forKey: .item)]
            }
            theme = try container.decode(String.self, forKey: .theme)
        }
    }

    @Test(arguments: ["{}", #"{"theme":"light"}"#, #"{"list":[1,2]}"#])
    func whatHasNeitherNameIsFilled(text: String) throws {
        let bench = try Backend.memory.make()
        try bench.put(text.dropLast() + (text == "{}" ? "" : ",") + #""u":1}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Renamed())
        #expect(try file.read() == Renamed())
        try bench.put(#"{"item":7,"u":1}"#, in: "v")
        #expect(try file.read().list == [7])
        try file.update { $0.theme = "dark" }
        #expect(try bench.text(of: "v") == #"{"list":[7],"theme":"dark","u":1}"# + "\n")
    }

    /// Asks for a key that does not exist, a different one each time, or reports a key as missing although it got all.
    struct Endless: Codable, Sendable {
        var isOther = false
        var a = 1

        private enum CodingKeys: CodingKey { case isOther, a }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            isOther = try container.decode(Bool.self, forKey: .isOther)
            a = try container.decode(Int.self, forKey: .a)
            let context = DecodingError.Context(codingPath: [], debugDescription: "")
            if !isOther { throw DecodingError.keyNotFound(CodingKeys.a, context) }
            _ = try decoder.container(keyedBy: AnyKey.self).decode(Int.self, forKey: AnyKey(UUID().uuidString))
        }
    }

    @Test(arguments: ["{}", #"{"isOther":true}"#, #"{"isOther":false,"a":1}"#])
    func whoNeverHasEnoughIsNotAskedForEver(text: String) throws {
        let bench = try Backend.memory.make()
        try bench.put(text, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Endless())
        #expect(throws: GroupFileError.self) { try file.read() }
    }
}
