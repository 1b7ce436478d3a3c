import Foundation
import GroupFiles
import Testing

/// `GroupDefaults` accepts the objects that property lists and `JSONSerialization` give, as `UserDefaults` does.
struct BridgedPropertyTests {
    enum Source: CaseIterable {
        case json, propertyList, classes

        func values() throws -> [String: Any] {
            let values: [String: Any] = [
                "int": 5, "one": 1, "yes": true, "no": false, "half": 0.5, "text": "x", "list": [1, true, ["a": 2.5]],
                "tree": ["a": [0, false]],
            ]
            switch self {
            case .json:
                let json = try JSONSerialization.data(withJSONObject: values)
                return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
            case .propertyList:
                let list = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
                let read = try unsafe PropertyListSerialization.propertyList(from: list, format: nil)
                return try #require(read as? [String: Any])
            case .classes:
                return [
                    "int": NSNumber(value: 5), "one": NSNumber(value: 1), "yes": NSNumber(value: true),
                    "no": NSNumber(value: false), "half": NSNumber(value: 0.5), "text": NSString("x"),
                    "list": NSArray(array: [1, true, NSDictionary(dictionary: ["a": 2.5])]),
                    "tree": NSDictionary(dictionary: ["a": NSArray(array: [0, false])]),
                ]
            }
        }
    }

    private static let expected =
        #"{"half":0.5,"int":5,"list":[1,true,{"a":2.5}],"no":false,"one":1,"text":"x","#
        + #""tree":{"a":[0,false]},"yes":true}"# + "\n"

    @Test(arguments: Source.allCases) func numbersAndBooleansAreTaken(from source: Source) throws {
        let values = try source.values()
        let bench = try Backend.memory.make()
        let defaults = GroupDefaults(container: bench.container)
        try defaults.set(values, forKey: "all")
        #expect(try bench.text(of: "all") == Self.expected)
        try defaults.set(Array(values.values), forKey: "list")
        #expect(defaults.array(forKey: "list")?.count == values.count)
        try defaults.adopt(values)
        #expect(try bench.text(of: "yes") == "true\n")
        #expect(try bench.text(of: "one") == "1\n")
        let others = GroupDefaults(container: .inMemory())
        others.register(defaults: values)
        #expect(others.dictionaryRepresentation().keys.sorted() == values.keys.sorted())
        #expect(others.integer(forKey: "int") == 5)
        #expect(others.object(forKey: "yes", as: Bool.self) == true)
        #expect(others.object(forKey: "one", as: Bool.self) == nil)
    }

    @Test func whatAClassHoldsIsWhole() throws {
        let bench = try Backend.memory.make()
        let objects: [String: (Any, String)] = [
            "large": (NSNumber(value: UInt64.max), "18446744073709551615"),
            "small": (NSNumber(value: Int64.min), "-9223372036854775808"), "huge": (NSNumber(value: 1e30), "1e+30"),
            "decimal": (NSDecimalNumber(string: "0.1"), "0.1"), "data": (NSData(data: Data([1, 2])), #""AQI=""#),
            "date": (NSDate(timeIntervalSinceReferenceDate: 5), "5"), "text": (NSMutableString("x"), #""x""#),
        ]
        try GroupDefaults(container: bench.container).adopt(objects.mapValues(\.0))
        for (key, object) in objects { #expect(try bench.text(of: key) == object.1 + "\n", "\(key)") }
    }

    @Test func whatNoPropertyListHasIsRefused() throws {
        let defaults = GroupDefaults(container: .inMemory())
        for object in [NSSet(array: [1]), NSNumber(value: Double.nan)] {
            let error = #expect(throws: GroupFileError.self) { try defaults.adopt(["k": object]) }
            #expect(error?.code == .unencodable)
        }
    }
}
