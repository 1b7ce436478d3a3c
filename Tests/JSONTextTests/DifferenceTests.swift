import JSONText
import Testing

/// The smallest parts that two values differ in.
struct DifferenceTests {
    static let differences: [(old: String?, new: String?, found: [String])] = [
        ("1", "1.0", []), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1,"a":3}"#, []), (nil, nil, []),
        ("1", "2", [". 1 2"]), (nil, "[1]", [". - [1]"]), ("[1]", nil, [". [1] -"]),
        ("[1]", #"{"a":1}"#, [#". [1] {"a":1}"#]),
        ("[1,2,3]", "[1,5]", [".[1] 2 5", ".[2] 3 -"]), ("[]", "[[]]", [".[0] - []"]), ("[[]]", "[{}]", [".[0] [] {}"]),
        (
            #"{"z":1,"a":{"b":[{"c":1}],"same":0}}"#, #"{"a":{"b":[{"c":2}],"same":0},"y":null}"#,
            [".a.b[0].c 1 2", ".y - null", ".z 1 -"]
        ),
        (#"{"é":1}"#, #"{"e\u0301":1}"#, [".[\"e\u{301}\"] - 1", #".["é"] 1 -"#]),
    ]

    @Test(arguments: differences)
    func tellsTheSmallestParts(old: String?, new: String?, found: [String]) throws {
        let all = JSONDifference.all(
            from: try old.map { try JSONValue(parsing: $0) },
            to: try new.map { try JSONValue(parsing: $0) }
        )
        let lines = all.map { "\($0.path) \($0.old?.description ?? "-") \($0.new?.description ?? "-")" }
        #expect(lines == found)
    }
}
