import JSONText
import TestSupport
import Testing

/// How values are printed.
struct PrintingTests {
    static let pretty: [(text: String, lines: [String])] = [
        ("1", ["1"]), ("[]", ["[]"]), ("{}", ["{}"]),
        ("[1,[],{}]", ["[", "  1,", "  [],", "  {}", "]"]),
        (
            #"{"b":1,"a":{"d":[true,null],"c":"x"}}"#,
            [
                "{", #"  "b": 1,"#, #"  "a": {"#, #"    "d": ["#, "      true,", "      null", "    ],",
                #"    "c": "x""#, "  }", "}",
            ]
        ),
    ]

    @Test(arguments: pretty)
    func prettyIndentsByTwoSpaces(text: String, lines: [String]) throws {
        let value = try JSONValue(parsing: text)
        #expect(JSONPrinter(layout: .pretty).text(of: value) == lines.joined(separator: "\n"))
    }

    static let sorted: [(text: String, printed: String)] = [
        (#"{"b":{"z":1,"y":2},"a":3}"#, #"{"a":3,"b":{"y":2,"z":1}}"#),
        (#"{"b":1,"a":2,"b":0,"a":1}"#, #"{"a":2,"a":1,"b":1,"b":0}"#),
        // Ordered by Unicode scalars. By UTF-16, the last key would come before U+FFFF.
        (#"{"😀":4,"\uffff":5,"é":3,"a":2,"B":1,"":0}"#, "{\"\":0,\"B\":1,\"a\":2,\"é\":3,\"\u{FFFF}\":5,\"😀\":4}"),
    ]

    @Test(arguments: sorted)
    func sortsKeysByScalarsAndKeepsDuplicatesInOrder(text: String, printed: String) throws {
        #expect(JSONPrinter(sortsKeys: true).text(of: try JSONValue(parsing: text)) == printed)
    }

    @Test(arguments: ["12345678901234567890", "9007199254740993", "0.1", "1.0", "1E5", "-0", "1e+05", "-1.50E-07"])
    func numbersComeOutAsTheyWentIn(text: String) throws {
        #expect(try JSONValue(parsing: text).description == text)
    }

    static let escaped: [(string: String, printed: String)] = [
        ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#),
        ("\u{0}\u{1}\u{B}\u{1F}\u{7F}", #""\u0000\u0001\u000b\u001f\u007f""#),
        (#"a"b\c/d'"#, #""a\"b\\c/d'""#),
        // For a terminal the last two begin a command.
        ("\u{80}\u{85}\u{90}\u{9F}\u{9B}31m\u{9D}0;", #""\u0080\u0085\u0090\u009f\u009b31m\u009d0;""#),
        ("é\u{A0}\u{BF}\u{2028}😀", "\"é\u{A0}\u{BF}\u{2028}😀\""),
    ]

    @Test(arguments: escaped)
    func stringsAreEscapedAndParseBack(string: String, printed: String) throws {
        #expect(JSONValue.string(string).description == printed)
        #expect(try JSONValue(parsing: printed) == .string(string))
    }

    /// `width` arrays, each `depth` levels deep.
    private static func thicket(width: Int, depth: Int) -> JSONValue {
        .array(Array(repeating: (1..<depth).reduce(.array([])) { value, _ in .array([value]) }, count: width))
    }

    /// The printer makes one piece at a time, however large the whole text is, and none that nobody asks for.
    @Test(.endsInTime) func piecesAreSmallAndMadeOneByOne() {
        var pieces = JSONPrinter(layout: .pretty).pieces(of: Self.thicket(width: 1 << 16, depth: 500))
        let first = (0..<100).map { _ in pieces.next()?.count ?? 0 }
        #expect(first.allSatisfy { 65536..<66600 ~= $0 }, "\(first)")
    }

    @Test(arguments: [1, 300, 70_000, 200_000])
    func piecesAreTheWhole(limit: Int) throws {
        let strings = JSONValue.array((0..<9000).map { .string(String(repeating: "\u{7F}", count: $0 % 7)) })
        let value = JSONValue.array([Self.thicket(width: 9, depth: 100), strings])
        let pieces = Array(JSONPrinter(layout: .pretty).pieces(of: value))
        let whole = JSONPrinter(layout: .pretty).bytes(of: value)
        #expect(pieces.count > 3)
        #expect(Array(pieces.joined()) == whole)
        #expect(try JSONValue(parsing: whole) == value)
        let beginning = JSONPrinter(layout: .pretty, limit: limit).bytes(of: value)
        #expect(whole.starts(with: beginning.prefix(limit)))
        #expect(limit..<limit + 300 ~= beginning.count)
    }
}
