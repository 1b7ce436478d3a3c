import Foundation
import PlainJSON
import TestSupport
import Testing

/// Whatever a type asks for, and whatever it does with errors, it meets what it would meet in `JSONDecoder`.
///
/// Comparing values would not show this, because the value is thrown away if anything was in doubt.
struct PlainEncounterTests {
    @Test(arguments: [
        "[]", "[[]]", "[null,true,false]", #"[1,-1,300,5.0,1.5,123456789012345678901,0.1234567890123456789]"#,
        #"["","x","AQI=","http://x/","1"]"#, #"[[1,null],{},{"a":1,"b":null}]"#,
        #"{"a":null,"b":true,"c":300,"d":1.5}"#, #"{"a":"x","b":"AQI=","c":[[]],"d":{"a":{}}}"#,
        #"{"super":{"a":[1]},"a":[null]}"#, #"{"super":null}"#, #"{"super":1,"b":0}"#, "{}", "null", "1", #""x""#,
        "[[[[[null]]]]]",
    ])
    func aTypeMeetsWhatItWouldMeetInJSONDecoder(document: String) throws {
        let met = Encounters.of { _ = PlainCodec<Explorer>().value(in: Array(document.utf8)) }
        let expected = try Encounters.of { _ = try JSONDecoder().decode(Explorer.self, from: Data(document.utf8)) }
        #expect(!met.isEmpty)
        #expect(met.count == expected.count)
        for (number, (one, other)) in zip(met, expected).enumerated() where one != other {
            Issue.record("\(number): \(one), and not \(other)")
            return
        }
    }

    /// A type that tries one type after another does so at every depth. If each try read everything inside, that would
    /// be read again and again.
    @Test func nothingTriedOnAContainerReadsIt() {
        let document = #"[[{"a":[[1],{"b":[]}]}],{}]"#
        let met = Encounters.of { _ = PlainCodec<Anything>().value(in: Array(document.utf8)) }
        // There are eight containers, and none decodes as any of these eight types. A refusal after reading would say
        // at length what is wrong.
        #expect(met.count { $0 == "refused" } == 8 * 8)
        #expect(!met.contains("read and refused"))
    }
}

/// What types encountered while they were decoded.
enum Encounters {
    @TaskLocal private static var log = Log<String>()

    static func of(_ decode: () throws -> Void) rethrows -> [String] {
        let log = Log<String>()
        try $log.withValue(log) { try decode() }
        return log.elements
    }

    static func tell(_ text: String) { log.append(text) }
}

/// Any JSON at all, as people write it.
private enum Anything: Codable, Equatable, Sendable {
    case number(Double)
    case list([Anything])
    case object([String: Anything])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = Self.attempt({ try container.decode(Double.self) }) {
            self = .number(number)
            return
        }
        Self.attempt { try container.decode(Bool.self) }
        Self.attempt { try container.decode(Int.self) }
        Self.attempt { try container.decode(String.self) }
        Self.attempt { try container.decode(Float.self) }
        Self.attempt { try container.decode(URL.self) }
        Self.attempt { try container.decode(Decimal.self) }
        Self.attempt { try container.decode(UInt128.self) }
        if let list = try? container.decode([Anything].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: Anything].self))
        }
    }

    @discardableResult
    private static func attempt<T>(_ decode: () throws -> T) -> T? {
        do {
            return try decode()
        } catch DecodingError.typeMismatch(_, let context) {
            Encounters.tell(context.debugDescription.isEmpty ? "refused" : "read and refused")
        } catch {
            Encounters.tell("\(error)")
        }
        return nil
    }

    func encode(to encoder: any Encoder) throws {}
}

/// Asks for everything everywhere.
private struct Explorer: Codable, Sendable {
    private static let scalars: [@Sendable (any SingleValueDecodingContainer) throws -> Any] = [
        { try $0.decode(Bool.self) }, { try $0.decode(String.self) }, { try $0.decode(Double.self) },
        { try $0.decode(Float.self) }, { try $0.decode(Int.self) }, { try $0.decode(Int8.self) },
        { try $0.decode(UInt16.self) }, { try $0.decode(Int128.self) }, { try $0.decode(UInt128.self) },
        { try $0.decode(Data.self) }, { try $0.decode(URL.self) }, { try $0.decode(Decimal.self) },
        { try $0.decode(Date.self) }, { try $0.decode(Int?.self) as Any }, { try $0.decode([Int?].self) },
        { $0.decodeNil() },
    ]

    private static let members: [@Sendable (KeyedDecodingContainer<Odd.AnyName>, Odd.AnyName) throws -> Any] = [
        { try $0.decode(Bool.self, forKey: $1) }, { try $0.decode(String.self, forKey: $1) },
        { try $0.decode(Double.self, forKey: $1) }, { try $0.decode(UInt8.self, forKey: $1) },
        { try $0.decode(Int128.self, forKey: $1) }, { try $0.decode(Data.self, forKey: $1) },
        { try $0.decodeIfPresent(Bool.self, forKey: $1) as Any },
        { try $0.decodeIfPresent(Int.self, forKey: $1) as Any },
        { try $0.decodeIfPresent(UInt8.self, forKey: $1) as Any },
        { try $0.decodeIfPresent([Int?].self, forKey: $1) as Any },
        { try $0.decodeIfPresent(Decimal.self, forKey: $1) as Any },
        { try $0.decodeNil(forKey: $1) }, { $0.contains($1) },
        { try $0.nestedContainer(keyedBy: Odd.AnyName.self, forKey: $1).allKeys.count },
        { try $0.nestedUnkeyedContainer(forKey: $1).count as Any },
    ]

    private static let elements: [@Sendable (inout any UnkeyedDecodingContainer) throws -> Any] = [
        { try $0.decode(Bool.self) }, { try $0.decode(String.self) }, { try $0.decode(Int8.self) },
        { try $0.decode(UInt128.self) }, { try $0.decode(URL.self) }, { try $0.decode([Int?].self) },
        { try $0.decodeNil() }, { try $0.superDecoder().singleValueContainer().decodeNil() },
        { try $0.nestedContainer(keyedBy: Odd.AnyName.self).allKeys.count },
        { try $0.nestedUnkeyedContainer().count as Any },
        { try $0.decodeIfPresent(Bool.self) as Any }, { try $0.decodeIfPresent(String.self) as Any },
        { try $0.decodeIfPresent(Double.self) as Any }, { try $0.decodeIfPresent(Float.self) as Any },
        { try $0.decodeIfPresent(Int.self) as Any }, { try $0.decodeIfPresent(Int8.self) as Any },
        { try $0.decodeIfPresent(Int16.self) as Any }, { try $0.decodeIfPresent(Int32.self) as Any },
        { try $0.decodeIfPresent(Int64.self) as Any }, { try $0.decodeIfPresent(Int128.self) as Any },
        { try $0.decodeIfPresent(UInt.self) as Any }, { try $0.decodeIfPresent(UInt8.self) as Any },
        { try $0.decodeIfPresent(UInt16.self) as Any }, { try $0.decodeIfPresent(UInt32.self) as Any },
        { try $0.decodeIfPresent(UInt64.self) as Any }, { try $0.decodeIfPresent(UInt128.self) as Any },
        { try $0.decodeIfPresent([Int?].self) as Any }, { try $0.decodeIfPresent(Data.self) as Any },
    ]

    init(from decoder: any Decoder) throws {
        Self.explore(decoder)
    }

    func encode(to encoder: any Encoder) throws {}

    private static func explore(_ decoder: any Decoder) {
        if let value = attempt("single", { try decoder.singleValueContainer() }) {
            for (number, scalar) in scalars.enumerated() { attempt("scalar \(number)") { try scalar(value) } }
        }
        if let object = attempt("keyed", { try decoder.container(keyedBy: Odd.AnyName.self) }) { explore(object) }
        if var list = attempt("unkeyed", { try decoder.unkeyedContainer() }) { explore(&list) }
    }

    private static func explore(_ object: KeyedDecodingContainer<Odd.AnyName>) {
        let names = object.allKeys.map(\.stringValue).sorted() + ["none"]
        for key in names.map(Odd.AnyName.init(stringValue:)) {
            for (number, member) in members.enumerated() {
                attempt("\(key.stringValue) \(number)") { try member(object, key) }
            }
            if let decoder = attempt("super of \(key.stringValue)", { try object.superDecoder(forKey: key) }) {
                explore(decoder)
            }
        }
        if let decoder = attempt("super", { try object.superDecoder() }) { explore(decoder) }
    }

    private static func explore(_ list: inout any UnkeyedDecodingContainer) {
        while true {
            for (number, element) in elements.enumerated() {
                var copy = list
                attempt("element \(number)") { try element(&copy) }
                Encounters.tell("\(number) at \(copy.currentIndex) of \(copy.count ?? -1) \(copy.isAtEnd)")
            }
            if list.isAtEnd { return }
            guard let decoder = attempt("next", { try list.superDecoder() }) else { return }
            explore(decoder)
        }
    }

    @discardableResult
    private static func attempt<T>(_ what: String, _ body: () throws -> T) -> T? {
        do {
            let found = try body()
            let isValue = !(found is any Decoder) && !(found is any UnkeyedDecodingContainer)
            Encounters.tell(isValue && Mirror(reflecting: found).children.isEmpty ? "\(what): \(found)" : what)
            return found
        } catch {
            Encounters.tell("\(what): \(kind(of: error))")
            return nil
        }
    }

    private static func kind(of error: any Error) -> String {
        switch error as? DecodingError {
        case .typeMismatch: "another type"
        case .valueNotFound: "no value"
        case .keyNotFound: "no key"
        case .dataCorrupted: "corrupted"
        default: "\(error)"
        }
    }
}
