import Foundation
import GroupFiles
import PlainJSON
import TestSupport
import Testing

/// A newer version reads what an older one wrote: keys that it demands, and that are missing, are taken from the
/// initial value.
struct MissingKeyTests {
    struct Settings: Codable, Sendable, Equatable {
        var theme = "light"
        var window = Window()
        var nickname: String? = "initial"

        struct Window: Codable, Sendable, Equatable {
            var width = 800
            var height = 600
            var opened = Date(timeIntervalSinceReferenceDate: 5)
        }
    }

    @Test(arguments: Backend.allCases)
    func whatIsMissingIsTheInitialValues(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: Settings())
        try bench.put(#"{"theme":"dark","unknown":1}"#, in: "v")
        #expect(try file.read() == Settings(theme: "dark", nickname: nil))
        #expect(file.status == .current)
        try bench.put(#"{"theme":"dark","window":{"width":5},"nickname":null}"#, in: "v")
        #expect(try file.read() == Settings(theme: "dark", window: .init(width: 5), nickname: nil))
        try file.update { $0.window.width = 6 }
        #expect(
            try bench.text(of: "v")
                == #"{"theme":"dark","window":{"height":600,"opened":5,"width":6}}"# + "\n")
        // Observers that open it see the same.
        try bench.put("{}", in: "w")
        #expect(try GroupFile("w", in: bench.container, initialValue: Settings()).value == Settings(nickname: nil))
    }

    struct Desk: Codable, Sendable, Equatable {
        var spot = Spot.point(x: 1, y: 2)
        var windows = ["a": Settings.Window()]

        enum Spot: Codable, Sendable, Equatable {
            case point(x: Int, y: Int)
            case line(x: Int, length: Int)
        }
    }

    /// Another case, or an element of a collection, has no counterpart in the initial value.
    @Test(arguments: Backend.allCases)
    func payloadsOfTheSameCaseAreFilledAndElementsAreNot(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: Desk())
        try bench.put(#"{"spot":{"point":{"x":5}},"windows":{}}"#, in: "v")
        #expect(try file.read() == Desk(spot: .point(x: 5, y: 2), windows: [:]))
        for bad in [#"{"spot":{"line":{"x":5}}}"#, #"{"windows":{"a":{"width":5}}}"#] {
            try bench.put(bad, in: "v")
            #expect(throws: GroupFileError.self, "\(bad)") { try file.read() }
        }
    }

    @Test(arguments: Backend.allCases)
    func whatIsThereMustBeRight(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: Settings())
        for bad in [
            #"{"theme":7}"#, #"{"theme":null}"#, #"{"window":[]}"#, #"{"window":{"width":null}}"#, "[]", "null", "7",
            #"{"theme":"dark""#,
        ] {
            try bench.put(bad, in: "v")
            #expect(throws: GroupFileError.self, "\(bad)") { try file.read() }
            #expect(file.value == Settings())
        }
        // The error tells what is wrong, not what is missing.
        try bench.put(#"{"window":{"height":"x"}}"#, in: "v")
        let error = #expect(throws: GroupFileError.self) { try file.read() }
        #expect(error?.codingPath == "window.height")
        #expect(error?.line == 1)
        #expect(error?.column == 21)
    }

    struct Box<Content: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
        var content: Content
    }

    @Test(arguments: Backend.allCases)
    func optionalsAreNeverFilled(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put("{}", in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Box<Int?>(content: 7))
        #expect(throws: GroupFileError.self) { try file.read() }
        let twice = try GroupFile(
            "w", in: bench.container, initialValue: Box<Box<String>>(content: .init(content: "x")))
        try bench.put(#"{"content":{}}"#, in: "w")
        #expect(try twice.read().content.content == "x")
    }

    struct Team: Codable, Sendable, Equatable {
        var members: [Member] = []
        var byName: [String: Member] = [:]

        struct Member: Codable, Sendable, Equatable {
            var name: String
            var isAdmin: Bool
        }
    }

    /// The first element of one list need not correspond to the first element of another.
    @Test(arguments: Backend.allCases)
    func elementsOfArraysAreNotFilled(backend: Backend) throws {
        let bench = try backend.make()
        let initial = Team(members: [.init(name: "root", isAdmin: true)], byName: [:])
        let file = try GroupFile("v", in: bench.container, initialValue: initial)
        try bench.put(#"{"members":[{"name":"eve"}],"byName":{}}"#, in: "v")
        let error = #expect(throws: GroupFileError.self) { try file.read() }
        #expect(error?.codingPath == "members[0].isAdmin")
        try bench.put(#"{"members":[],"byName":{"eve":{"name":"eve"}}}"#, in: "v")
        #expect(throws: GroupFileError.self) { try file.read() }
        try bench.put(#"{"members":[]}"#, in: "v")
        #expect(try file.read() == Team())
    }

    /// In whatever way a type asks for nested containers.
    @Test(arguments: ["{}", #"{"inner":{}}"#, #"{"list":[1]}"#, #"{"inner":{"gone":1},"list":[2]}"#])
    func nestedContainersAreFilled(text: String) throws {
        let bench = try Backend.memory.make()
        try bench.put(text, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: KnownKeysTests.Nested())
        #expect(throws: Never.self) { try file.read() }
    }

    /// A value that has no initial value has nothing to fill in.
    @Test(arguments: Backend.allCases)
    func withoutAnInitialValueNothingIsFilled(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put(#"{"theme":"dark"}"#, in: "v")
        let file = try bench.container.file(named: "v", as: Settings.self)
        #expect(throws: GroupFileError.self) { try file.read() }
    }

    @Test(arguments: Backend.allCases)
    func keysAreFoundByTheirStrategy(backend: Backend) throws {
        let bench = try backend.make()
        struct Event: Codable, Sendable, Equatable {
            var startsAt: Date
            var endsAt: Date?
            var homePage: URL
            var rawBytes = Data([1, 2])
            var entryPrice: Decimal = 5
            var perGuest: [String: Int] = ["some_body": 1]
        }
        let codec = GroupCodec<Event>.json(
            encoder: {
                $0.dateEncodingStrategy = .iso8601
                $0.keyEncodingStrategy = .convertToSnakeCase
            },
            decoder: {
                $0.dateDecodingStrategy = .iso8601
                $0.keyDecodingStrategy = .convertFromSnakeCase
            })
        let page = try #require(URL(string: "https://example.com/a"))
        let event = Event(startsAt: Date(timeIntervalSince1970: 0), homePage: page)
        let file = try GroupFile("v", in: bench.container, initialValue: event, codec: codec)
        try bench.put(
            #"{"starts_at":"1970-01-01T00:00:05Z","ends_at":"1970-01-01T00:00:06Z","new_key":1,"per_guest":{"a_b":2}}"#,
            in: "v")
        var expected = event
        expected.startsAt = Date(timeIntervalSince1970: 5)
        expected.endsAt = Date(timeIntervalSince1970: 6)
        expected.perGuest = ["a_b": 2]
        #expect(try file.read() == expected)
        try file.update { event in
            event.endsAt = nil
            event.perGuest = ["c_d": 3]
        }
        #expect(
            try bench.text(of: "v")
                == #"{"entry_price":5,"home_page":"https://example.com/a","new_key":1,"per_guest":{"c_d":3},"#
                + #""raw_bytes":"AQI=","starts_at":"1970-01-01T00:00:05Z"}"# + "\n")
    }

    /// A great many keys, and beside them a type that chooses by the keys that are there.
    struct Crowd: Codable, Sendable, Equatable {
        @TaskLocal static var attempts = Log<Int>()
        private static let names = (0..<2000).map { AnyKey("k\($0)") }

        var choice = LenientTypeTests.Choice.number(1)
        var numbers = Array(0..<2000)

        init() {}

        init(from decoder: any Decoder) throws {
            Self.attempts.append(1)
            let container = try decoder.container(keyedBy: AnyKey.self)
            choice = try container.decode(LenientTypeTests.Choice.self, forKey: AnyKey("choice"))
            numbers = try Self.names.map { try container.decode(Int.self, forKey: $0) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(choice, forKey: AnyKey("choice"))
            for (name, number) in zip(Self.names, numbers) { try container.encode(number, forKey: name) }
        }
    }

    /// Each attempt at decoding finds one missing key; in the end all keys that the type needs are filled, and none
    /// that it can do without.
    @Test func manyThatAreMissingDoNotTakeAsManyAttempts() throws {
        let bench = try Backend.memory.make()
        try bench.put(#"{"choice":{"box":{"x":7}},"k1999":-1,"unknown":1}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Crowd(), access: .readOnly)
        #expect(throws: GroupFileError.self) { try file.read() }
        try bench.put(#"{"choice":{"box":{"x":7,"y":8}},"k1999":-1,"unknown":1}"#, in: "v")
        let attempts = Log<Int>()
        let found = try Crowd.$attempts.withValue(attempts) { try file.read() }
        #expect(found.choice == .box(.init(x: 7, y: 8)))
        #expect(found.numbers == Array(0..<1999) + [-1])
        #expect(attempts.elements.count < 270)
    }
}
