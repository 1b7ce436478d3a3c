import Testing

@testable import JSONText

/// Which values are equal, and which are less than others.
struct ComparisonTests {
    static let equal: [(String, String)] = [
        ("null", "null"), ("true", "true"), (#""a""#, #""\u0061""#), ("[1,[2]]", "[1.0,[20e-1]]"),
        (#"{"a":1,"b":[{}]}"#, #"{"b":[{}],"a":1}"#),
        (#"{"a":1,"a":2}"#, #"{"a":1}"#), (#"{"b":0,"a":1,"a":2}"#, #"{"a":1,"a":3,"b":0,"b":1}"#),
    ]

    @Test(arguments: equal)
    func valuesThatMeanTheSameAreEqual(left: String, right: String) throws {
        #expect(try JSONValue(parsing: left) == JSONValue(parsing: right))
        #expect(try JSONValue(parsing: right) == JSONValue(parsing: left))
    }

    static let unequal: [(String, String)] = [
        ("null", "false"), ("0", "false"), ("1", #""1""#), ("[]", "{}"), ("true", "false"), ("[1,2]", "[2,1]"),
        ("[1]", "[1,1]"), (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":2}"#),
        (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#), (#""é""#, #""e\u0301""#), (#"{"é":1}"#, #"{"e\u0301":1}"#),
        ("[[[1]]]", "[[[2]]]"), ("[0,1,2]", "[9,1,2]"),
    ]

    @Test(arguments: unequal)
    func valuesThatMeanOtherThingsAreNotEqual(left: String, right: String) throws {
        #expect(try JSONValue(parsing: left) != JSONValue(parsing: right))
        #expect(try JSONValue(parsing: right) != JSONValue(parsing: left))
    }

    static let ordered: [(less: String, greater: String)] = [
        ("1", "2"), ("-1", "0.5"), (#""""#, #""a""#), (#""Z""#, #""a""#), (#""a""#, #""ab""#), (#""10""#, #""9""#),
        (#""\uffff""#, #""😀""#), (#""e\u0301""#, #""é""#),
    ]

    @Test(arguments: ordered)
    func numbersAndStringsAreOrdered(less: String, greater: String) throws {
        let (less, greater) = (try JSONValue(parsing: less), try JSONValue(parsing: greater))
        #expect(less.precedes(greater) == true)
        #expect(greater.precedes(less) == false)
        #expect(less.precedes(less) == false)
    }

    @Test func nothingElseIsOrdered() throws {
        let values = try ["null", "true", "false", "1", #""1""#, "[1]", #"{"a":1}"#].map(JSONValue.init(parsing:))
        for left in values {
            for right in values {
                switch (left, right) {
                case (.number, .number), (.string, .string): #expect(left.precedes(right) == false)
                default: #expect(left.precedes(right) == nil)
                }
            }
        }
    }
}
