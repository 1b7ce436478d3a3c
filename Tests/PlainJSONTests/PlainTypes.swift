import Foundation

/// Types that people store.
enum Stored {
    struct Lamp: Codable, Equatable, Sendable {
        var counter: Int64
        var sent: Int64
        var note: String
    }

    struct Numbers: Codable, Equatable, Sendable {
        var a: Int, b: Int8, c: Int16, d: Int32, e: Int64
        var f: UInt, g: UInt8, h: UInt16, i: UInt32, j: UInt64
        var k: Double, l: Float, m: Bool
    }

    struct Settings: Codable, Equatable, Sendable {
        struct Station: Codable, Equatable, Sendable {
            var name: String
            var frequency: Double
        }

        enum Mode: String, Codable { case day, night }
        enum Level: Int, Codable { case low, high }

        var volume: Int
        var isOn: Bool?
        var stations: [Station]
        var favourite: Station?
        var mode: Mode
        var level: Level?
        var matrix: [[Double]]
        var words: [String?]
        var changed: Date?
        var gain: Float?
        var port: UInt16?
        var ids: Set<Int>
        var id: UUID
    }

    enum Event: Codable, Equatable, Sendable {
        case started
        case moved(x: Int, y: Double?)
        case said(String)
    }

    struct Tree: Codable, Equatable, Sendable {
        var a: Int?
        var children: [Tree]?
    }

    struct Names: Codable, Equatable, Sendable {
        var counts: [String: Int]
        var stations: [String: Settings.Station?]
        var byNumber: [Int: String]
    }

    struct Dated: Codable, Equatable, Sendable {
        var at: Date
        var spans: [Date?]
    }

    struct Wrapped<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
        var value: Value
        var other: Value?
    }

    /// As strings, the sign for kelvin and the letter K are equal.
    struct Foreign: Codable, Equatable, Sendable {
        enum CodingKeys: String, CodingKey { case name = "é", sign = "\u{212A}" }

        var name: Int?
        var sign: Int?
    }

    /// Holds an object, and never changes it.
    struct Kept<Object: Base>: Codable, Equatable, Sendable {
        nonisolated(unsafe) private let object: Object

        init(from decoder: any Decoder) throws { unsafe object = try Object(from: decoder) }
        func encode(to encoder: any Encoder) throws { try unsafe object.encode(to: encoder) }
        static func == (first: Kept, second: Kept) -> Bool { unsafe first.object == second.object }
    }

    class Base: Codable, Equatable {
        var a: Int?

        static func == (first: Base, second: Base) -> Bool { first.isEqual(second) }
        func isEqual(_ other: Base) -> Bool { a == other.a }
    }

    /// Passes its own decoder to its superclass, so that both share one JSON object.
    final class Beside: Base {
        private enum CodingKeys: String, CodingKey { case b }

        var b: String

        required init(from decoder: any Decoder) throws {
            b = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .b)
            try super.init(from: decoder)
        }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(b, forKey: .b)
        }

        override func isEqual(_ other: Base) -> Bool { super.isEqual(other) && b == (other as? Beside)?.b }
    }

    final class Above: Base {
        private enum CodingKeys: String, CodingKey { case b }

        var b: Int

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            b = try container.decode(Int.self, forKey: .b)
            try super.init(from: try container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(b, forKey: .b)
            try super.encode(to: container.superEncoder())
        }

        override func isEqual(_ other: Base) -> Bool { super.isEqual(other) && b == (other as? Above)?.b }
    }
}
