import JSONText
import TestSupport
import Testing

/// Where members stand in a text.
struct OutlineTests {
    private func outline(_ text: String) throws -> JSONOutline { try JSONOutline(parsing: Array(text.utf8)) }

    private func text(_ range: Range<Int>, of text: String) -> String {
        String(decoding: Array(text.utf8)[range], as: UTF8.self)
    }

    @Test func membersStandWhereTheyAreWritten() throws {
        let json = "\u{FEFF} {\"a\" : 1.50 ,\n\"\\u00e9\":{\"b\":[{\"c\":1}, 2],\"b\":\"x\\\"}\"},\"\":{}} "
        let root = try outline(json)
        let members = try #require(root.members)
        #expect(members.map(\.key) == ["a", "é", ""])
        #expect(
            members.map { text($0.range, of: json) }
                == [#""a" : 1.50"#, #""\u00e9":{"b":[{"c":1}, 2],"b":"x\"}"}"#, #""":{}"#])
        let inner = try #require(members[1].value.members)
        #expect(inner.map { text($0.value.range, of: json) } == [#"[{"c":1}, 2]"#, #""x\"}""#])
        #expect(inner.allSatisfy { $0.value.members == nil })
        let elements = try #require(inner[0].value.elements)
        #expect(elements.map { text($0.range, of: json) } == [#"{"c":1}"#, "2"])
        #expect(elements[0].members?.map(\.key) == ["c"])
        #expect(members[2].value.members?.isEmpty == true)
        #expect(text(root.range, of: json) == json.drop { $0 != "{" }.dropLast())
    }

    @Test(arguments: ["7", "[{\"a\":1}]", "[[],[1,[{}]]]", "[[],[1,[]]]", "\"x\"", "null", " [] "])
    func whatIsNoObjectHasNoMembers(json: String) throws {
        let root = try outline(json)
        #expect(root.members == nil)
        #expect((root.elements != nil) == json.contains("{"))
        #expect(text(root.range, of: json) == json.filter { $0 != " " })
    }

    @Test(arguments: ["", "{", "{\"a\":}", "[1,", "{\"a\":1}x", "[[}"])
    func whatIsNoJSONThrows(json: String) {
        #expect(throws: JSONTextError.self) { try outline(json) }
    }

    @Test func containersAreFoundByWhatBelongsToThem() throws {
        let json = #"{"a":[1,{"b":2},[{}]],"c":{"d":"x"}}"#
        for (offset, expected) in [
            (0, json), (2, json), (5, #"[1,{"b":2},[{}]]"#), (6, #"[1,{"b":2},[{}]]"#), (8, #"{"b":2}"#),
            (12, #"{"b":2}"#), (16, "[{}]"), (17, "{}"), (26, #"{"d":"x"}"#), (34, #"{"d":"x"}"#), (35, json),
        ] {
            #expect(text(try outline(json).container(at: offset).range, of: json) == expected, "\(offset)")
        }
    }

    @Test func depthIsBounded() throws {
        let open = String(repeating: "{\"a\":", count: 512)
        let close = String(repeating: "}", count: 512)
        #expect(throws: Never.self) { try outline(open + "1" + close) }
        #expect(throws: JSONTextError.self) { try outline("{\"a\":" + open + "1" + close + "}") }
        #expect(throws: JSONTextError.self) { try outline(String(repeating: "[", count: 100_000)) }
    }

    @Test(arguments: [
        (#"{}"#, #"{}"#), (#"{}"#, #"{"a":1}"#), (#"{"a":1}"#, #"{"a":2}"#), (#"{"b":1}"#, #"{"a":[{}],"b":2,"c":3}"#),
        (#"{"a":{"x":1}}"#, #"{"a":{"w":"}","x":1}}"#), (#" { "a" : 1 , "b" : [ 1 ] } "#, #"{"a":1,"b":2}"#),
        // A value that is not an object on both sides counts as a unit.
        (#"{"a":{"x":1}}"#, #"{"a":[1,{"y":"]"}]}"#), (#"{"a":{"x":{"\"":"}"}},"b":1}"#, #"{"a":null,"b":1}"#),
        (#"{"a":[{"x":1}],"b":1}"#, #"{"a":[],"b":1}"#), (#"{"a":1,"b":1}"#, #"{"a":{"x":1},"b":1}"#),
        ("[1,2]", "{}"), ("7", "7"), (#"{"a":{}}"#, "[]"), (#"{"a":{"b":{}},"c":{}}"#, #"{"a":{"b":{}},"c":{}}"#),
        ("\u{FEFF}{}", "{}"), (#"{"\u0061":1}"#, #"{"a":1}"#),
        (#"[{"a":1}]"#, #"[{"a":2,"b":3},{}]"#), (#"[{"a":1},7,{"a":2}]"#, #"[{"a":1,"b":1}]"#),
        (#"[[{"a":1}]]"#, #"[[{"a":1}],[]]"#), (#"[{"a":1}]"#, "[1]"),
        ("[1,[2],null]", "[{}]"),
    ])
    func allKeysAreThere(old: String, new: String) throws {
        #expect(try outline(new).hasEveryKey(of: outline(old)))
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{}"#), (#"{"a":1,"b":2}"#, #"{"a":1}"#), (#"{"a":{"x":1},"b":1}"#, #"{"a":{},"b":1}"#),
        (#"{"a":1}"#, #"{"b":{"a":1}}"#), (#"{"a":1}"#, #"{"b":["a"],"c":"a"}"#), (#"{"é":1}"#, "{\"e\u{301}\":1}"),
        (#"{"a":{},"a":{"x":1}}"#, #"{"a":{}}"#), (#"[{"a":1},{"b":1}]"#, #"[{"a":1},{"a":1}]"#),
        (#"{"l":[[{"a":1,"x":1}]]}"#, #"{"l":[[{"a":1}]]}"#), (#"[{"a":1},{"b":1}]"#, #"[{"a":1}]"#),
        (#"[{"a":1}]"#, #"[null,{"a":1}]"#), (#"[[{"a":1}]]"#, #"[[],[{"a":1}]]"#), (#"[{}]"#, #"[[{}]]"#),
        // These have every key, too, but the function does not say so.
        (#"{"b":1,"a":1}"#, #"{"a":1,"b":1}"#), (#"{"a":1,"a":1}"#, #"{"a":1}"#),
    ])
    func notAllKeysAreThere(old: String, new: String) throws {
        #expect(try !outline(new).hasEveryKey(of: outline(old)))
    }

    @Test(arguments: [
        ("{}", #"{"a":{"x":1}}"#, true), (#"{"b":{"x":1,"y":2},"c":1}"#, #"{"c":2,"a":{"z":1},"b":{"x":2}}"#, true),
        (#"{"b":{}}"#, #"{"b":{"x":1}}"#, false), (#"{"a":{},"b":1}"#, #"{"b":1,"a":{"x":1}}"#, false),
        (#"{"a":{"x":1}}"#, #"{"a":{"x":1},"a":{"y":1}}"#, false), ("[]", #"{"a":1}"#, true),
    ])
    func allKeysAreThereInValues(new: String, old: String, isComplete: Bool) throws {
        #expect(try outline(new).hasEveryKeyInValues(of: outline(old)) == isComplete)
    }

    /// If keys were looked up one by one, each time from the beginning, this would take minutes.
    @Test(.endsInTime) func keysOfLargeObjectsAreLookedAtOnce() throws {
        let time = try processorTime {
            let keys = (0..<200_000).map { "\"key \(1_000_000 + $0)\":1" }
            let old = try outline("{" + keys.joined(separator: ",") + "}")
            #expect(old.hasEveryKey(of: old))
            let new = try outline("{" + keys.reversed().joined(separator: ",") + "}")
            #expect(!new.hasEveryKey(of: old))
        }
        #expect(time < .seconds(60))
    }
}
