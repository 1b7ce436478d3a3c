import Foundation
import PlainJSON
import TestSupport
import Testing

/// Whatever the type and the document, the plain way gives the same result as `JSONDecoder` and `JSONEncoder`, or none.
struct PlainAgreementTests {
    static let shapes = [
        Shape(
            Stored.Lamp.self, #"{"counter":12345,"note":"lamp","sent":123456789012345}"#,
            #" { "note" : "é😀/ü" , "unknown" : [ { } , [ ] , 1.5 ] , "sent":-1,"counter":0}"#),
        Shape(
            Stored.Numbers.self,
            #"{"a":1,"b":-2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11.25,"l":0.1,"m":true}"#),
        Shape(
            Stored.Settings.self,
            """
            {
              "volume": -3, "isOn": null, "stations": [{"name": "RTL", "frequency": 104.6}], "mode": "night", "level": 1,
              "matrix": [[1, 0.5], []], "words": ["a", null], "changed": 782934756.3847262, "gain": 0.25,
              "favourite": {"frequency": 9, "name": ""}, "port": 80, "ids": [3, 1], "id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
            }

            """,
            #"{"volume":1,"stations":[],"mode":"day","matrix":[],"words":[],"ids":[],"id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}"#
        ),
        Shape(Stored.Event.self, #"{"started":{}}"#, #"{"moved":{"x":1,"y":2.5}}"#, #"{"said":{"_0":"a"}}"#),
        Shape(Stored.Tree.self, #"{"a":1,"children":[{"a":2,"children":[]},{"children":[{"a":null}]}]}"#),
        Shape(
            Stored.Names.self,
            #"{"counts":{"b":1,"B":2,"a10":3,"a2":4},"stations":{"x":null,"y":{"name":"a","frequency":1}},"byNumber":{"7":"a"}}"#,
            #"{"counts":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10},"stations":{},"byNumber":{}}"#),
        Shape(Stored.Dated.self, #"{"at":1.5,"spans":[null,782934756.384726]}"#),
        Shape(Stored.Kept<Stored.Beside>.self, #"{"a":1,"b":"x"}"#, #"{"b":""}"#),
        Shape(Stored.Kept<Stored.Above>.self, #"{"b":1,"super":{"a":2}}"#, #"{"super":{},"b":1}"#),
        Shape(Stored.Foreign.self, isDecoded: false, #"{"é":1}"#, "{\"e\u{301}\":1}", #"{"K":2}"#),
        Shape(Stored.Wrapped<Data>.self, isDecoded: false, #"{"value":"AQI=","other":null}"#),
        Shape(Stored.Wrapped<URL>.self, isDecoded: false, #"{"value":"http://x/"}"#),
        Shape(Stored.Wrapped<Decimal>.self, isDecoded: false, #"{"value":1.5,"other":2}"#),
        Shape(Stored.Wrapped<Int128>.self, isDecoded: false, #"{"value":1}"#),
        Shape(Stored.Wrapped<[Float]>.self, #"{"value":[1,0.5,-0.1],"other":[]}"#),
        Shape(Stored.Wrapped<[UInt8?]>.self, #"{"value":[1,null,255]}"#),
        Shape(Stored.Wrapped<[String: [String: Bool]]>.self, #"{"value":{"a":{"b":true},"c":{}}}"#),
        Shape([Int].self, "[1,2,3]", "[]"),
        Shape(Int?.self, "1", "null", " -5 "),
        Shape(Double.self, "0.1", " 5 ", "1.25"),
        Shape(String.self, #""é""#, #" "a" "#),
        Shape(Bool.self, "true", " false"),
        Shape([String: Stored.Tree].self, #"{"a":{},"b":{"a":1}}"#),
        Shape(
            Odd.Lenient.self, isDecoded: false, isEncoded: true, #"{"a":1,"b":"x","c":[1]}"#, #""x""#, "[1]",
            #"{"a":"x"}"#),
        Shape(Odd.Curious.self, #"{"a":null,"b":1}"#, #"{"b":1,"a":2,"b":3}"#),
        Shape(Odd.Pathfinder.self, isDecoded: false, #"{"a":[1,2],"b":3}"#, #"{"b":{},"a":[[]]}"#),
        Shape(Odd.Walker.self, isDecoded: false, isEncoded: true, #"["a",null,[],[1],{"a":1,"b":[1,2]}]"#),
        Shape(Odd.Marcher.self, #"[[1,2],{"a":{"b":3},"c":4},[5],null]"#, #"[[],{"c":4,"a":{"b":3}},[]]"#),
        Shape(
            Odd.Backwards.self, "{\((100..<200).map { "\"k\($0)\":\($0)" }.joined(separator: ","))}",
            "{\((150..<200).map { "\"k\($0)\":1,\"k\($0)x\":2" }.joined(separator: ","))}"),
        Shape(Odd.Seeker.self, "[]", "[1,null]", "[null,2]"),
        Shape(Odd.Overrunner.self, isDecoded: false, isEncoded: true, "[1,2]", "[]"),
        Shape(Odd.Orphan.self, #"{"super":1,"a":null}"#, #"{"a":2,"super":null}"#),
        Shape(Odd.Keeper.self, isDecoded: false, isEncoded: true, #"{"a":1}"#, #"{"a":"x"}"#),
        Shape(Odd.Holder.self, isDecoded: false, isEncoded: false, #"{"a":"x"}"#),
        Shape(Odd.Single.self, "null", #"{"a":1}"#),
    ]

    @Test(arguments: shapes) func seedsGoTheirWay(shape: Shape) {
        for seed in shape.seeds {
            #expect(shape.decoding(Array(seed.utf8)) == (shape.isDecoded ? .agrees : .left), "\(seed)")
            #expect(shape.encoding(Array(seed.utf8)) == (shape.isEncoded ? .agrees : .left), "\(seed)")
        }
    }

    @Test func mutatedDocumentsAgree() async {
        await blocking {
            for (number, shape) in Self.shapes.enumerated() {
                var mutator = Mutator(generator: SeededGenerator(seed: UInt64(number)))
                var (decoded, encoded) = (0, 0)
                for round in 0..<2000 {
                    let bytes = mutator.document(from: shape.seeds[round % shape.seeds.count])
                    let verdict = shape.decoding(bytes)
                    if case .differs(let how) = verdict { Issue.record("\(shape.testDescription): \(how)") }
                    if verdict == .agrees { decoded += 1 }
                    if round % 4 > 0 { continue }
                    let written = shape.encoding(bytes)
                    if case .differs(let how) = written { Issue.record("\(shape.testDescription): \(how)") }
                    if written == .agrees { encoded += 1 }
                }
                if shape.isDecoded { #expect(decoded > 400, "\(shape.testDescription)") }
                if shape.isEncoded { #expect(encoded > 80, "\(shape.testDescription)") }
            }
        }
    }

    /// A type that relies on its document meets no error that it would not meet in `JSONDecoder`.
    @Test func whatIsLeftIsLeftInPeace() throws {
        let seed = Array(#"{"a":"http://x/","b":"AQI=","c":1.5,"d":5.0}"#.utf8)
        let plain = PlainCodec<Odd.Sure>()
        #expect(plain.value(in: seed) == nil)
        let value = try JSONDecoder().decode(Odd.Sure.self, from: Data(seed))
        #expect(value.count == 5)
        #expect(plain.encode(value) == nil)
    }
}
