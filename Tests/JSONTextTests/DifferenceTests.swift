import Testing

@testable import JSONText

/// The smallest parts in which two values differ.
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

    /// Each part has its whole path. Where much differs at great depth, the containing value is reported as a whole.
    @Test(arguments: [(20_000, 20_000, 1), (20_000, 1, 1), (1000, 1000, 1000)])
    func whatLiesDeepIsToldInFewParts(count: Int, changed: Int, parts: Int) throws {
        let depth = 500
        func value(_ digit: Int) throws -> JSONValue {
            let numbers = (0..<count).map { $0 < count - changed ? "0" : "\(digit)" }.joined(separator: ",")
            return try JSONValue(
                parsing: Array(
                    (String(repeating: "[", count: depth) + numbers + String(repeating: "]", count: depth)).utf8))
        }
        let all = JSONDifference.all(from: try value(1), to: try value(2))
        #expect(all.count == parts)
        #expect(all.last?.path.steps.count == (parts < changed ? depth - 1 : depth))
        if parts == changed { #expect(all.last?.path.steps.last == .index(count - 1)) }
    }
}
