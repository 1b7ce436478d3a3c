import JSONText
import Testing

/// Paths, jq's way.
struct PathTests {
    static let parsed: [(text: String, steps: [JSONPath.Step], printed: String)] = [
        (".", [], "."), (".a", [.key("a")], ".a"), (".[0]", [.index(0)], ".[0]"), (".[-1]", [.index(-1)], ".[-1]"),
        (".a.b[0]", [.key("a"), .key("b"), .index(0)], ".a.b[0]"),
        (".a.[0].b", [.key("a"), .index(0), .key("b")], ".a[0].b"),
        (#".["odd key"]"#, [.key("odd key")], #".["odd key"]"#), (#".a["b"]"#, [.key("a"), .key("b")], ".a.b"),
        (#"."odd key"[2]"#, [.key("odd key"), .index(2)], #".["odd key"][2]"#),
        (#".[ "a" ][ 1 ]"#, [.key("a"), .index(1)], ".a[1]"),
        (#".["a\"\u00e9\n"]"#, [.key("a\"é\n")], #".["a\"é\n"]"#), (#".[""]"#, [.key("")], #".[""]"#),
        (#".["1"]"#, [.key("1")], #".["1"]"#), ("._a1", [.key("_a1")], "._a1"), (".[007]", [.index(7)], ".[7]"),
        (".a .b", [.key("a"), .key("b")], ".a.b"),
        (".a [ 0 ]\n\t.b ?  ", [.key("a"), .index(0), .key("b")], ".a[0].b"),
        (" .a\n", [.key("a")], ".a"), (".a?[0]?", [.key("a"), .index(0)], ".a[0]"),
    ]

    @Test(arguments: parsed)
    func parsesAndPrintsBack(text: String, steps: [JSONPath.Step], printed: String) throws {
        let path = try JSONPath(parsing: text)
        #expect(path == JSONPath(steps))
        #expect(path.description == printed)
        #expect(try JSONPath(parsing: printed) == path)
    }

    private static let advice = #"; write keys of other characters as .["odd key"]."#

    static let refused: [(text: String, column: Int, message: String)] = [
        ("", 1, "Expected a path such as . or .a.b[0], found the end of the text."),
        ("a", 1, "Expected a path such as . or .a.b[0], found 'a'."),
        ("[0]", 1, "Expected a path such as . or .a.b[0], found '['."),
        ("..", 2, "Expected a key after '.', found '.'" + advice),
        (".a.", 4, "Expected a key after '.', found the end of the text" + advice),
        (".1", 2, "Expected a key after '.', found '1'" + advice),
        (".größe", 4, "Expected '.', '[' or the end of the path, found 'ö' (U+00F6)" + advice),
        (".a-b", 3, "Expected '.', '[' or the end of the path, found '-'" + advice),
        (".a b", 4, "Expected '.', '[' or the end of the path, found 'b'."),
        (".a . b", 5, "Expected a key after '.', found U+0020" + advice),
        (".a=", 3, "Expected '.', '[' or the end of the path, found '='."),
        (".[]", 3, "Expected an index such as 0 or -1, or a key in double quotes, found ']'."),
        (".['a']", 3, "Expected an index such as 0 or -1, or a key in double quotes, found '''."),
        (".[1:2]", 4, "Expected ']', found ':'."), (".[1.5]", 4, "Expected ']', found '.'."),
        (".[0", 4, "Expected ']', found the end of the text."),
        (".[-]", 3, "Expected an index from -9223372036854775808 to 9223372036854775807, found '-'."),
        (".é", 2, "Expected a key after '.', found 'é' (U+00E9)" + advice),
        (
            ".[9223372036854775808]", 3,
            "Expected an index from -9223372036854775808 to 9223372036854775807, found '9223372036854775808'."
        ),
        (#".["é\x"]"#, 6, #"Expected one of "\/bfnrtu after '\', found 'x'."#),
        (#".["a"#, 5, #"Expected '"' to end the string that begins at column 3, found the end of the text."#),
    ]

    @Test(arguments: refused)
    func refusesWithColumnAndSentence(text: String, column: Int, message: String) {
        let error = #expect(throws: JSONExpressionError.self) { try JSONPath(parsing: text) }
        #expect(error?.description == "column \(column): \(message)")
    }

    static let document = #"{"a":{"b":[1,[2,3],null]},"odd key":"x","é":"é","e\u0301":"e","dup":1,"dup":2}"#

    static let found: [(path: String, value: String?)] = [
        (".", document), (".a.b[0]", "1"), (".a.b[1][1]", "3"), (".a.b[-1]", "null"), (".a.b[-3]", "1"),
        (".a.b[-2][-1]", "3"), (#".["odd key"]"#, #""x""#), (#".["é"]"#, #""é""#), (#".["e\u0301"]"#, #""e""#),
        (".dup", "1"), (".b", nil), (".a.b[3]", nil), (".a.b[-4]", nil), (".a[0]", nil), (".a.b.c", nil),
        (#".["odd key"].x"#, nil), (".a.b[2].x", nil), (".[0]", nil), (".a.b[-9223372036854775808]", nil),
    ]

    @Test(arguments: found)
    func findsThePartOrNil(path: String, value: String?) throws {
        let part = try JSONValue(parsing: Self.document)[JSONPath(parsing: path)]
        #expect(part?.description == (try value.map { try JSONValue(parsing: $0).description }))
    }
}
