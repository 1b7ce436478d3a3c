import Testing

@testable import JSONText

/// Which texts are JSON, and what the error says about one that is not.
struct ParsingTests {
    static let accepted: [(text: String, printed: String)] = [
        ("null", "null"), ("true", "true"), ("false", "false"), ("0", "0"), ("-0", "-0"), (#""""#, #""""#),
        ("[]", "[]"), ("{}", "{}"), ("[[],{}]", "[[],{}]"), (" \t\r\n[ 1 , 2 ]\n", "[1,2]"),
        ("\u{FEFF}{\"a\":1}", #"{"a":1}"#),
        (#"{"b":1,"a":{"d":2,"c":[3]}}"#, #"{"b":1,"a":{"d":2,"c":[3]}}"#),
        (#"{"a":1,"a":2,"":3}"#, #"{"a":1,"a":2,"":3}"#),
        ("[1.0,1E5,1e-5,1.5E+5,0.1,-0.0]", "[1.0,1E5,1e-5,1.5E+5,0.1,-0.0]"),
        ("12345678901234567890123", "12345678901234567890123"),
        (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#),
        (#""\u00e9\u20AC\uD83D\ude00\u0000\uFFFF""#, "\"é€😀\\u0000\u{FFFF}\""),
        ("\"é€😀\u{2028}\u{7F}\"", "\"é€😀\u{2028}\\u007f\""),
    ]

    @Test(arguments: accepted)
    func readsAndKeeps(text: String, printed: String) throws {
        #expect(try JSONValue(parsing: text).description == printed)
    }

    /// A text, the place of its first fault, and the error's message.
    static let refused: [(text: String, place: String, message: String)] = [
        ("", "1:1", "Expected a value, but the text is empty."),
        ("\u{FEFF}", "1:1", "Expected a value, but the text is blank."),
        (" \n ", "2:2", "Expected a value, but the text is blank."),
        ("x", "1:1", "Expected a value, found 'x'."),
        ("“a”", "1:1", "Expected a value, found '“' (U+201C)."),
        ("'a'", "1:1", "Expected a value, found '''."),
        ("\u{FEFF}\u{FEFF}1", "1:1", "Expected a value, found '\u{FEFF}' (U+FEFF)."),
        ("tru", "1:1", "Expected 'true', found the end of the text within it."),
        ("nulL", "1:1", "Expected 'null', found 'L' within it."),
        ("truex", "1:5", "Expected the end of the text after its value, found 'x'."),
        ("1 2", "1:3", "Expected the end of the text after its value, found '2'."),
        ("{}\n}", "2:1", "Expected the end of the text after its value, found '}'."),
        ("01", "1:2", "Expected no digit after a leading zero, found '1'."),
        ("-01", "1:3", "Expected no digit after a leading zero, found '1'."),
        ("-", "1:2", "Expected a digit after '-', found the end of the text."),
        ("-x", "1:2", "Expected a digit after '-', found 'x'."),
        ("+1", "1:1", "Expected a value, found '+'."),
        (".5", "1:1", "Expected a value, found '.'."),
        ("1.", "1:3", "Expected a digit after the decimal point, found the end of the text."),
        ("[1.e5]", "1:4", "Expected a digit after the decimal point, found 'e'."),
        ("1e", "1:3", "Expected a digit in the exponent, found the end of the text."),
        ("[1e+]", "1:5", "Expected a digit in the exponent, found ']'."),
        ("NaN", "1:1", "Expected a value, found 'N'."),
        ("0x1", "1:2", "Expected the end of the text after its value, found 'x'."),
        ("[", "1:2", "Expected a value or ']', found the end of the text."),
        ("[,1]", "1:2", "Expected a value or ']', found ','."),
        ("[1,]", "1:4", "Expected a value after ',', found ']'."),
        ("[1 2]", "1:4", "Expected ',' or ']', found '2'."),
        ("[1}", "1:3", "Expected ',' or ']', found '}'."),
        ("[1,\n\"é\",\n  \"é\" x]", "3:7", "Expected ',' or ']', found 'x'."),
        ("{", "1:2", "Expected a key in double quotes or '}', found the end of the text."),
        ("{a:1}", "1:2", "Expected a key in double quotes or '}', found 'a'."),
        (#"{"a":1,}"#, "1:8", "Expected a key in double quotes after ',', found '}'."),
        (#"{"a" 1}"#, "1:6", "Expected ':' after the key, found '1'."),
        (#"{"a":}"#, "1:6", "Expected a value after ':', found '}'."),
        (#"{"a":1]"#, "1:7", "Expected ',' or '}', found ']'."),
        (#"{"a":1"b":2}"#, "1:7", "Expected ',' or '}', found '\"'."),
        ("// x\n1", "1:1", "Expected a value, found '/'."),
        ("[\u{A0}1]", "1:2", "Expected a value or ']', found '\u{A0}' (U+00A0)."),
        ("[\u{0}]", "1:2", "Expected a value or ']', found U+0000."),
        ("[\"a", "1:4", "Expected '\"' to end the string that begins at 1:2, found the end of the text."),
        ("\"a\\", "1:4", "Expected one of \"\\/bfnrtu after '\\', found the end of the text."),
        (#""a\x""#, "1:4", "Expected one of \"\\/bfnrtu after '\\', found 'x'."),
        (#""\u12G4""#, "1:6", "Expected four hexadecimal digits after '\\u', found 'G'."),
        ("\"a\nb\"", "1:3", "Expected control characters to be escaped in a string, found U+000A."),
        ("\"\u{1F}\"", "1:2", "Expected control characters to be escaped in a string, found U+001F."),
        ("\"\\t\u{1F}\"", "1:4", "Expected control characters to be escaped in a string, found U+001F."),
        (#"["😀\uD83D"]"#, "1:4", #"Expected a surrogate pair, found the lone surrogate \uD83D."#),
        (#""\uDE00\uD83D""#, "1:2", #"Expected a surrogate pair, found the lone surrogate \uDE00."#),
        (#""\uD83D\uD83D\uDE00""#, "1:2", #"Expected a surrogate pair, found the lone surrogate \uD83D."#),
        (#""\uD83D\n""#, "1:2", #"Expected a surrogate pair, found the lone surrogate \uD83D."#),
    ]

    @Test(arguments: refused)
    func refusesWithPlaceAndSentence(text: String, place: String, message: String) {
        let error = #expect(throws: JSONTextError.self) { try JSONValue(parsing: text) }
        #expect(error?.description == "\(place): \(message)")
    }

    /// Bytes that are not UTF-8, the offset of the first invalid one, and the error's message.
    static let notUTF8: [(bytes: [UInt8], offset: Int, message: String)] = [
        ([0x22, 0xC0, 0x80, 0x22], 1, "Expected UTF-8, found the byte 0xC0, which is not UTF-8."),
        ([0x22, 0xE0, 0x80, 0x80, 0x22], 1, "Expected UTF-8, found the byte 0xE0, which is not UTF-8."),
        ([0x22, 0x61, 0xED, 0xA0, 0x80, 0x22], 2, "Expected UTF-8, found the byte 0xED, which is not UTF-8."),
        ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1, "Expected UTF-8, found the byte 0xF4, which is not UTF-8."),
        ([0x22, 0x61, 0x80, 0x22], 2, "Expected UTF-8, found the byte 0x80, which is not UTF-8."),
        ([0x22, 0xC3, 0x22], 1, "Expected UTF-8, found the byte 0xC3, which is not UTF-8."),
        ([0x22, 0x5C, 0x6E, 0xFF, 0x22], 3, "Expected UTF-8, found the byte 0xFF, which is not UTF-8."),
        // The first fault is reported, not the one that ends the string.
        ([0x22, 0xFF, 0x0A, 0x22], 1, "Expected UTF-8, found the byte 0xFF, which is not UTF-8."),
        ([0x22, 0xE2, 0x82], 1, "Expected UTF-8, found the byte 0xE2, which is not UTF-8."),
        ([0xFF], 0, "Expected a value, found the byte 0xFF, which is not UTF-8."),
        ([0xFF, 0xFE, 0x31, 0x00], 0, "Expected UTF-8, found what looks like UTF-16 or UTF-32."),
        ([0xFE, 0xFF, 0x00, 0x31], 0, "Expected UTF-8, found what looks like UTF-16 or UTF-32."),
        ([0x00, 0x31], 0, "Expected UTF-8, found what looks like UTF-16 or UTF-32."),
        ([0x00, 0x00, 0x00, 0x31], 0, "Expected UTF-8, found what looks like UTF-16 or UTF-32."),
        ([0x00], 0, "Expected a value, found zero bytes, as a power cut may leave them."),
        ([0x00, 0x00, 0x00, 0x00, 0x31], 0, "Expected a value, found zero bytes, as a power cut may leave them."),
        ([0x31, 0x00], 1, "Expected the end of the text after its value, found U+0000."),
    ]

    @Test(arguments: notUTF8)
    func refusesWhatIsNotUTF8(bytes: [UInt8], offset: Int, message: String) {
        let error = #expect(throws: JSONTextError.self) { try JSONValue(parsing: bytes) }
        #expect(error?.byteOffset == offset)
        #expect(error?.message == message)
    }

    @Test func placeCountsLinesAndScalarsAndSkipsTheByteOrderMark() throws {
        let error = #expect(throws: JSONTextError.self) { try JSONValue(parsing: "\u{FEFF}[\"e\u{301}\" x]\n") }
        #expect(error?.line == 1)
        #expect(error?.column == 7)
        #expect(error?.byteOffset == 10)
    }

    @Test func lookupFindsTheFirstOfDuplicateKeysByScalars() throws {
        guard case .object(let object) = try JSONValue(parsing: #"{"é":0,"a":1,"a":2,"e\u0301":3}"#) else {
            Issue.record("not an object")
            return
        }
        #expect(object["a"] == .number(JSONNumber(1)))
        #expect(object["e\u{301}"] == .number(JSONNumber(3)))
        #expect(object["b"] == nil)
    }
}
