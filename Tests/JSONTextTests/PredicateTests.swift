import JSONText
import Testing

/// Conditions on values.
struct PredicateTests {
    static let document = #"{"ready":true,"off":false,"none":null,"count":3,"name":"b","list":[1],"odd key":1}"#

    static let outcomes: [(predicate: String, holds: Bool)] = [
        (".", true), (".ready", true), (".off", false), (".none", false), (".missing", false), (".count", true),
        (".list", true), (".count.x", false), (" .ready ", true),
        (".count == 3", true), (".count==3.0", true), (".count == 30e-1", true), (".count == 4", false),
        (".count != 3", false), (".count!=4", true), (#".count == "3""#, false), (#".count != "3""#, true),
        (".count>=3", true), (".count<=3", true), (".count>3", false), (".count<3", false), (".count>2", true),
        (".count < 3.00000000000000000001", true), (".count > -1", true), (".count>-1", true),
        (#".name == "b""#, true), (#".name < "c""#, true), (#".name >= "b""#, true), (#".name > "b""#, false),
        (#".name <= "a""#, false), (#".name=="\u0062""#, true),
        (#".name > 1"#, false), (#".name < 1"#, false), (#".name >= 1"#, false), (#".name <= 1"#, false),
        (".none == null", true), (".none <= null", true), (".none >= null", true), (".none < null", false),
        (".off < true", false), (".off <= true", false), (".off >= true", false), (".ready >= true", true),
        (".list == [1.0]", true), (".list <= [1]", true), (".list >= [2]", false), (".list < [2]", false),
        (#". >= {"a":1}"#, false), (".list != []", true),
        (".missing == null", false), (".missing != null", true), (".missing != 1", true), (".missing < 1", false),
        (".missing <= 1", false), (".missing > 1", false), (".missing >= 1", false),
        (#".["odd key"]==1"#, true), (#".["odd key"] == 1"#, true), (".list[0]==1", true), (".list[-1]\t==\n1", true),
        ("!= 1", true), ("== {}", false), (#". != "x""#, true), (".!=1", true),
    ]

    @Test(arguments: outcomes)
    func holdsOrNot(predicate: String, holds: Bool) throws {
        let predicate = try JSONPredicate(parsing: predicate)
        let document = try JSONValue(parsing: Self.document)
        #expect(predicate.holds(document) == holds)
        #expect(try JSONPredicate(parsing: predicate.description) == predicate)
    }

    static let scalars: [(predicate: String, value: String?, holds: Bool)] = [
        (#"== "ready""#, #""ready""#, true), (#"=="ready""#, #""steady""#, false), (">= 10", "1e1", true),
        (#"<= {"a":1,"b":[null]}"#, #"{"b":[null],"a":1.0}"#, true), (#"> {}"#, "{}", false),
        (".", "0", true), (".", #""""#, true), (".", "[]", true), (".", "null", false), (".", "false", false),
        (".", nil, false), ("== null", nil, false), ("!= null", nil, true), ("< 1", nil, false), (".a != 1", nil, true),
    ]

    @Test(arguments: scalars)
    func holdsOfTheWholeValue(predicate: String, value: String?, holds: Bool) throws {
        let value = try value.map { try JSONValue(parsing: $0) }
        #expect(try JSONPredicate(parsing: predicate).holds(value) == holds)
    }

    static let refused: [(text: String, column: Int, message: String)] = [
        ("", 1, "Expected a predicate such as .ready or .count >= 3, found nothing."),
        ("  ", 3, "Expected a predicate such as .ready or .count >= 3, found nothing."),
        ("ready", 1, "Expected a path such as . or .a.b[0], found 'r'."),
        (".a = 1", 4, "Expected one of == != <= < >= >, found '='."),
        (".a x", 4, "Expected one of == != <= < >= >, found 'x'."),
        (".a ! 1", 4, "Expected one of == != <= < >= >, found '!'."),
        (".a ==", 6, "Expected a JSON value after ==, found the end of the predicate."),
        (".a >= ", 7, "Expected a JSON value after >=, found the end of the predicate."),
        (".a == ready", 7, #"Expected a value, found 'r'. A string is written in double quotes: "ready"."#),
        (#".["é"] == 'x'"#, 11, #"Expected a value, found '''. A string is written in double quotes: "ready"."#),
        (".a === 1", 6, #"Expected a value, found '='. A string is written in double quotes: "ready"."#),
        (".a == 1 2", 9, "Expected the end of the text after its value, found '2'."),
        (".a == [1,]", 10, "Expected a value after ',', found ']'."),
        (
            #".["é"] == "x"#, 13,
            #"Expected '"' to end the string that begins at column 11, found the end of the text."#
        ),
        (".a == 01", 8, "Expected no digit after a leading zero, found '1'."),
        (".a..b == 1", 4, #"Expected a key after '.', found '.'; write keys of other characters as .["odd key"]."#),
    ]

    @Test(arguments: refused)
    func refusesWithColumnAndSentence(text: String, column: Int, message: String) {
        let error = #expect(throws: JSONExpressionError.self) { try JSONPredicate(parsing: text) }
        #expect(error?.description == "column \(column): \(message)")
    }
}
