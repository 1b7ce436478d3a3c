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
        #expect(members[2].value.members?.isEmpty == true)
        #expect(text(root.range, of: json) == json.drop { $0 != "{" }.dropLast())
    }

    @Test(arguments: ["7", "[{\"a\":1}]", "\"x\"", "null", " [] "])
    func whatIsNoObjectHasNoMembers(json: String) throws {
        let root = try outline(json)
        #expect(root.members == nil)
        #expect(text(root.range, of: json) == json.filter { $0 != " " })
    }

    @Test(arguments: ["", "{", "{\"a\":}", "[1,", "{\"a\":1}x", "[[}"])
    func whatIsNoJSONThrows(json: String) {
        #expect(throws: JSONTextError.self) { try outline(json) }
    }

    @Test func depthIsBounded() throws {
        let open = String(repeating: "{\"a\":", count: 512)
        let close = String(repeating: "}", count: 512)
        #expect(throws: Never.self) { try outline(open + "1" + close) }
        #expect(throws: JSONTextError.self) { try outline("{\"a\":" + open + "1" + close + "}") }
        #expect(throws: JSONTextError.self) { try outline(String(repeating: "[", count: 100_000)) }
    }
}

/// Whether all keys of one text are in another, at a glance.
struct KeyGlanceTests {
    private func isEveryKey(of first: String, in second: String) -> Bool {
        JSONKeyGlance.isEveryKey(of: Array(first.utf8), in: Array(second.utf8))
    }

    @Test(arguments: [
        (#"{}"#, #"{}"#), (#"{}"#, #"{"a":1}"#), (#"{"a":1}"#, #"{"a":2}"#), (#"{"b":1}"#, #"{"a":[{}],"b":2,"c":3}"#),
        (#"{"a":{"x":1}}"#, #"{"a":{"w":"}","x":1}}"#), (#" { "a" : 1 , "b" : [ 1 ] } "#, #"{"a":1,"b":2}"#),
        // What is no object on both sides is one thing.
        (#"{"a":{"x":1}}"#, #"{"a":[1,{"y":"]"}]}"#), (#"{"a":{"x":{"\"":"}"}},"b":1}"#, #"{"a":null,"b":1}"#),
        (#"{"a":[{"x":1}],"b":1}"#, #"{"a":[],"b":1}"#), (#"{"a":1,"b":1}"#, #"{"a":{"x":1},"b":1}"#),
        ("[1,2]", "{}"), ("7", "7"), (#"{"a":{}}"#, "[]"), (#"{"a":{"b":{}},"c":{}}"#, #"{"a":{"b":{}},"c":{}}"#),
    ])
    func aGlanceTells(first: String, second: String) {
        #expect(isEveryKey(of: first, in: second))
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{}"#), (#"{"a":1,"b":2}"#, #"{"a":1}"#), (#"{"a":{"x":1},"b":1}"#, #"{"a":{},"b":1}"#),
        (#"{"a":1}"#, #"{"b":{"a":1}}"#), (#"{"a":1}"#, #"{"b":["a"],"c":"a"}"#),
        // One that does not tell.
        (#"{"b":1,"a":1}"#, #"{"a":1,"b":1}"#), (#"{"\u0061":1}"#, #"{"a":1}"#), (#"{"a":1,"a":1}"#, #"{"a":1}"#),
        // What is no JSON.
        (#"{"a":1"#, #"{"a":1}"#), (#"{"a":1}}"#, #"{"a":1}"#), (#"{"a"}"#, #"{"a":1}"#), ("\u{FEFF}{}", "{}"),
        (#"{"a":1} x"#, #"{"a":1}"#), (#"{"a" 1}"#, #"{"a":1}"#), (#"{"a:1}"#, #"{"a":1}"#), (#"{"a":"\"#, #"{"a":1}"#),
    ])
    func aGlanceDoesNotTell(first: String, second: String) {
        #expect(!isEveryKey(of: first, in: second))
    }

    /// It says yes only where it is so.
    @Test func itAgreesWithTheOutlines() throws {
        var generator = SeededGenerator(seed: 7)
        var yes = 0
        for _ in 0..<3_000 {
            let first = object(depth: 3, &generator)
            let second = Bool.random(using: &generator) ? first : object(depth: 3, &generator)
            if isEveryKey(of: first, in: second) {
                yes += 1
                #expect(
                    isCovered(
                        try JSONOutline(parsing: Array(first.utf8)), try JSONOutline(parsing: Array(second.utf8))),
                    "\(first) \(second)")
            }
            // Damaged, it may say anything, and ends.
            _ = isEveryKey(of: String(first.dropLast(Int.random(in: 0..<5, using: &generator))), in: second)
            _ = isEveryKey(of: first, in: String(second.dropFirst(Int.random(in: 0..<5, using: &generator))))
        }
        #expect(yes > 1_000)
    }

    private func isCovered(_ first: JSONOutline, _ second: JSONOutline) -> Bool {
        guard let members = first.members, let others = second.members else { return true }
        return members.allSatisfy { member in
            others.first { $0.key == member.key }.map { isCovered(member.value, $0.value) } ?? false
        }
    }

    private func object(depth: Int, _ generator: inout SeededGenerator) -> String {
        let keys = ["a", "b", "c", "\\u0064", "}"].filter { _ in Bool.random(using: &generator) }
        let members = keys.map { key in
            let kind = Int.random(in: depth == 0 ? 1...4 : 0...4, using: &generator)
            let value =
                switch kind {
                case 0: object(depth: depth - 1, &generator)
                case 1: "[{\"a\":1},\"]\"]"
                case 2: "\"{,\\\"}\""
                case 3: "{}"
                default: " -1.5 "
                }
            return "\"\(key)\":\(value)"
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
