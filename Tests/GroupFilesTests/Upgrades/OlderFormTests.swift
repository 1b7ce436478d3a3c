import Foundation
import GroupFiles
import Testing

/// Types that try an older form of a value first: what that attempt finds says nothing about the form that is there.
struct OlderFormTests {
    enum Form: CaseIterable, Sendable {
        case list, numbers, date, nested, choice
    }

    enum Choice: Codable, Sendable {
        case all(Int)
    }

    /// A type with a member that once had another form.
    struct Document: Codable, Sendable {
        struct Items: Codable, Sendable {
            var list: [Int] = []
            var sort = "up"
        }

        /// Which form is tried first.
        @TaskLocal static var form = Form.list

        var items = Items()
        var top = 1

        private enum CodingKeys: CodingKey { case items, top }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let isOld =
                switch Self.form {
                case .list: (try? container.decode([Int].self, forKey: .items)) != nil
                case .numbers: (try? container.decode([String: Int].self, forKey: .items)) != nil
                case .date: (try? container.decodeIfPresent(Date.self, forKey: .items)) != nil
                case .nested: (try? container.nestedUnkeyedContainer(forKey: .items)) != nil
                case .choice: (try? container.decode(Choice.self, forKey: .items)) != nil
                }
            if !isOld { items = try container.decode(Items.self, forKey: .items) }
            top = try container.decode(Int.self, forKey: .top)
        }
    }

    @Test(arguments: Form.allCases, Backend.allCases)
    func G12_whatTheNewFormDoesNotKnowStaysWhereTheOlderOneIsTriedFirst(form: Form, backend: Backend) throws {
        try Document.$form.withValue(form) {
            let bench = try backend.make()
            try bench.put(#"{"items":{"future":true,"list":[1],"sort":"up"},"top":1}"#, in: "v")
            let file = try GroupFile("v", in: bench.container, initialValue: Document())
            try file.update { $0.items.list.append(2) }
            let text = #"{"items":{"future":true,"list":[1,2],"sort":"up"},"top":1}"# + "\n"
            #expect(try bench.text(of: "v") == text)
        }
    }

    /// A type that was once a bare list, without a key.
    struct Bare: Codable, Sendable {
        var list: [Int]

        private enum CodingKeys: CodingKey { case list }

        init(list: [Int]) {
            self.list = list
        }

        init(from decoder: any Decoder) throws {
            list = []
            if var elements = try? decoder.unkeyedContainer() {
                while !elements.isAtEnd { list.append(try elements.decode(Int.self)) }
            } else if (try? decoder.singleValueContainer().decode([String: Int].self)) == nil {
                list = try decoder.container(keyedBy: CodingKeys.self).decode([Int].self, forKey: .list)
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func G12_soItDoesAtTheTop(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put(#"{"future":true,"list":[1]}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Bare(list: []))
        try file.update { $0.list.append(2) }
        #expect(try bench.text(of: "v") == #"{"future":true,"list":[1,2]}"# + "\n")
        try file.write(Bare(list: [3]))
        #expect(try bench.text(of: "v") == #"{"future":true,"list":[3]}"# + "\n")
    }

    /// The file holds a case that only a newer version knows: carried over beside another case's key, it would make the
    /// enum undecodable.
    struct Lenient: Codable, Sendable {
        enum Mode: Codable, Sendable {
            case off(Int)
        }

        var mode = Mode.off(1)

        private enum CodingKeys: CodingKey { case mode }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            mode = (try? container.decode(Mode.self, forKey: .mode)) ?? .off(0)
        }
    }

    @Test(arguments: Backend.allCases)
    func anUnknownCaseIsReplacedWhole(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put(#"{"mode":{"dimmed":{"_0":3}}}"#, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: Lenient())
        try file.update { $0.mode = .off(2) }
        #expect(try bench.text(of: "v") == #"{"mode":{"off":{"_0":2}}}"# + "\n")
    }
}
