import FoundationEssentials
import JSONText
import Testing

/// Where a value is in its text.
struct PlaceTests {
    static let document = """
        {
          "é": "ü", "host": "a",
          "ports": [80, [], {"x": 1},
            {"y": {"deep": true}}],
          "host": "b", "3": {"v": null},
          "none": [ ]
        }
        """

    static let places: [(path: String, place: String)] = [
        (".", "1:1"), (#".["é"]"#, "2:8"), (".host", "2:21"), (".ports", "3:12"), (".ports[0]", "3:13"),
        (".ports[1]", "3:17"), (".ports[2].x", "3:27"), (".ports[3].y.deep", "4:20"), (".none", "6:11"),
        // Where the last part is missing, the place is that of the deepest part that exists.
        (".missing", "1:1"), (".ports[4]", "3:12"), (".ports[-1]", "3:12"), (".none[0]", "6:11"),
        (".ports[3].y.missing.more", "4:11"), (".ports.x", "3:12"), (".host[0]", "2:21"), (".host.x", "2:21"),
    ]

    @Test(arguments: places)
    func findsTheValueOrTheDeepestPart(path: String, place: String) throws {
        let bytes = Array(Self.document.utf8)
        #expect(SourcePlace(of: try JSONPath(parsing: path).codingPath, in: bytes)?.description == place)
    }

    @Test func textThatBreaksOffGivesTheDeepestPartBeforeIt() throws {
        let path = try JSONPath(parsing: ".a[1].b").codingPath
        #expect(SourcePlace(of: path, in: Array(#"{"a":[0,{"b":tru"#.utf8))?.column == 9)
        #expect(SourcePlace(of: path, in: Array(#"{"a":[0,"#.utf8))?.column == 6)
        #expect(SourcePlace(of: path, in: Array(#"{"a"#.utf8))?.column == 1)
        #expect(SourcePlace(of: path, in: []) == nil)
        // What follows the value is not read.
        #expect(SourcePlace(of: path, in: Array(#"{"a":[0,{"b":1 oops"#.utf8))?.column == 14)
    }

    struct Server: Decodable {
        struct Port: Decodable { var number: Int }
        var ports: [Port]
        var byNumber: [Int: Bool]
    }

    static let misfits: [(text: String, place: String)] = [
        (#"{"byNumber":{},"ports":[{"number":1},\#n{"number":"2"}]}"#, "2:11"),
        (#"{"byNumber":{},"ports":[{"number":1},\#n {"n":2}]}"#, "2:2"),
        (#"{"byNumber":{},"ports":\#n\#n{}}"#, "3:1"),
        (#"{"ports":[],"byNumber":{"0":true,"1":\#n0}}"#, "2:1"),
        (#"{"ports":[],"byNumber":{"0":true,"1":null}}"#, "1:38"),
        (#" {"ports":[]}"#, "1:2"),
        (#"\#n []"#, "2:2"),
    ]

    @Test(arguments: misfits)
    func findsWhatADecodingErrorNames(text: String, place: String) throws {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Server.self, from: Data(text.utf8))
        }
        #expect(SourcePlace(of: try #require(error).codingPath, in: Array(text.utf8))?.description == place)
    }

    /// To JSONDecoder both spellings are the same key.
    @Test func keysMayBeSpelledInAnotherNormalForm() throws {
        struct Station: Decodable {
            var café: Int

            private enum CodingKeys: String, CodingKey { case café = "caf\u{E9}" }
        }
        let text = "{\"cafe\u{301}\":\n\"x\"}"
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Station.self, from: Data(text.utf8))
        }
        #expect(SourcePlace(of: try #require(error).codingPath, in: Array(text.utf8))?.description == "2:1")
    }
}

extension DecodingError {
    fileprivate var codingPath: [any CodingKey] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context): context.codingPath
        case .keyNotFound(_, let context), .dataCorrupted(let context): context.codingPath
        @unknown default: []
        }
    }
}
