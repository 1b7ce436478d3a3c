import Foundation
import GroupFiles
import TestSupport
import Testing

/// Codecs, on every backend.
struct BackendCodecTests {
    @Test(arguments: Backend.allCases)
    func textIsTextAndAFinalNewline(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 7, codec: .text)
        try file.write(42)
        let raw = try GroupFile("v", in: bench.container, initialValue: Data(), codec: .data)
        #expect(raw.value == Data("42\n".utf8))
        try bench.put("  43 \n\n", in: "v")
        #expect(try file.read() == 43)
        try bench.put("44\r\n", in: "v")
        #expect(try file.read() == 44)
        for (content, reason) in [(Array("4x".utf8), "the text is not a valid Int"), ([0xFF], "it is not UTF-8 text")] {
            try raw.write(Data(content))
            let error = try #require(throws: GroupFileError.self) { try file.read() }
            #expect((error.line, error.column) == (1, 1))
            #expect(error.message == "It does not decode: \(reason). Correct the file, or write a new value.")
        }
    }

    @Test(arguments: Backend.allCases, ["", "a", "a\r", "\r", "a\n", "a\r\n", "\n", " a ", "\u{301}", "e\u{301}"])
    func textGivesBackEveryString(backend: Backend, text: String) throws {
        let bench = try backend.make()
        try GroupFile("v", in: bench.container, initialValue: "other", codec: .text).write(text)
        let reader = try GroupFile("v", in: bench.container, initialValue: "other", codec: .text)
        #expect(Array(reader.value.utf8) == Array(text.utf8))
    }

    @Test(arguments: Backend.allCases)
    func aPictureOfMegabytesGoesThroughIntactAndIsObserved(backend: Backend) async throws {
        let bench = try backend.make()
        var random = SeededGenerator.ofThisRun()
        let picture = Data((0..<3_000_000).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        let reader = try GroupFile("bg.png", in: bench.container, initialValue: Data(), codec: .data)
        let sizes = Log<Data>()
        let subscription = reader.sink { sizes.append($0) }
        defer { subscription.cancel() }
        try await GroupFile("bg.png", in: bench.container, initialValue: Data(), codec: .data).write(picture)
        #expect(await sizes.first { $0 == picture } != nil)
        #expect(reader.value == picture)
        #expect(Set(sizes.elements.map(\.count)).isSubset(of: [0, picture.count]))
    }

    struct Event: Codable, Sendable, Equatable {
        var startsAt: Date
    }

    @Test(arguments: Backend.allCases)
    func datesAndKeysOfJSONAreConfigured(backend: Backend) throws {
        let bench = try backend.make()
        let event = Event(startsAt: Date(timeIntervalSince1970: 1_700_000_000))
        let codec = GroupCodec<Event>.json(
            encoder: {
                $0.dateEncodingStrategy = .secondsSince1970
                $0.keyEncodingStrategy = .convertToSnakeCase
            },
            decoder: {
                $0.dateDecodingStrategy = .secondsSince1970
                $0.keyDecodingStrategy = .convertFromSnakeCase
            })
        let file = try GroupFile("v", in: bench.container, initialValue: event, codec: codec)
        let raw = try GroupFile("v", in: bench.container, initialValue: Data(), codec: .data)
        #expect(String(decoding: raw.value, as: UTF8.self) == #"{"starts_at":1700000000}"# + "\n")
        #expect(try file.read() == event)
    }

    struct NoNegatives: Error {}

    @Test(arguments: Backend.allCases)
    func whatACodecThrowsLeavesTheValue(backend: Backend) throws {
        let bench = try backend.make()
        let codec = GroupCodec<Int>(
            encode: { if $0 < 0 { throw NoNegatives() } else { Data("\($0)".utf8) } },
            decode: { if let value = Int(String(decoding: $0, as: UTF8.self)) { value } else { throw NoNegatives() } })
        let file = try GroupFile("v", in: bench.container, initialValue: 1, codec: codec)
        #expect { try file.write(-1) } throws: { ($0 as? GroupFileError)?.code == .unencodable }
        #expect(file.value == 1)
        #expect(file.status == .current)
    }

    /// Somebody who may not change the value is told that, whatever the value is.
    @Test(arguments: Backend.allCases)
    func aReaderIsRefusedBeforeItsCodecIsCalled(backend: Backend) async throws {
        let bench = try backend.make()
        let encoded = Log<Int>()
        let codec = GroupCodec<Int>(
            encode: { value in
                encoded.append(value)
                throw NoNegatives()
            }, decode: { _ in 1 })
        let file = try GroupFile("v", in: bench.container, initialValue: 1, access: .readOnly, codec: codec)
        let errors = [
            await #expect(throws: GroupFileError.self) { try await file.write(-1) },
            await blocking { #expect(throws: GroupFileError.self) { try file.write(-2) } },
        ]
        #expect(errors.map { $0?.code } == [.readOnly, .readOnly])
        #expect(encoded.elements == [])
    }

    /// Whether a foreign program wrote the value, or another object of this process.
    @Test(arguments: Backend.allCases)
    func anUpdateThatChangesNothingKeepsTheWhiteSpace(backend: Backend) throws {
        let bench = try backend.make()
        try bench.put("[ 1 ]", in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: [0])
        try file.update { _ in }
        #expect(try bench.text(of: "v") == "[ 1 ]")
        let pretty = GroupCodec<[Int]>.json(encoder: { $0.outputFormatting = .prettyPrinted })
        try GroupFile("v", in: bench.container, initialValue: [0], codec: pretty).write([2])
        let text = try bench.text(of: "v")
        #expect(text.contains("\n  2\n"))
        try file.update { _ in }
        #expect(try bench.text(of: "v") == text)
        try file.update { $0 = [3] }
        #expect(try bench.text(of: "v") == "[3]\n")
    }

    private struct Measures: Codable, Equatable {
        var secret = "tell nobody"
        var series = ["one": [1.0, 2.0]]
    }

    /// The error does not repeat the value, which may be large or confidential.
    @Test(arguments: Backend.allCases)
    func whatCannotBeEncodedIsFound(backend: Backend) throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: Measures())
        var value = Measures()
        value.series["one"]?[1] = .nan
        let error = try #require(throws: GroupFileError.self) { try file.write(value) }
        #expect(error.code == .unencodable)
        #expect(error.codingPath == "series.one[1]")
        #expect(error.message.contains("Double.nan") && error.message.contains("; nothing was changed"))
        #expect(!error.description.contains("tell nobody"))
        #expect(file.value == Measures())
    }

    private indirect enum Chain: Codable, Sendable {
        case end
        case link(Chain)
    }

    @Test func whatIsTooDeepToBeEncodedIsNotRepeated() throws {
        let file = try GroupFile("v", in: .inMemory(), initialValue: Chain.end)
        let deep = (0..<2000).reduce(Chain.end) { chain, _ in .link(chain) }
        let error = try #require(throws: GroupFileError.self) { try file.write(deep) }
        #expect(error.code == .unencodable)
        #expect(error.description.count < 400, "\(error)")
    }

    @Test(arguments: Backend.allCases)
    func anOptionalFileIsNilWhereThereIsNone(backend: Backend) throws {
        let bench = try backend.make()
        let file = try bench.container.file(named: "v", as: Int.self)
        #expect(file.value == nil)
        #expect(file.status == .missing)
        #expect(try bench.container.currentNames() == [])
        try file.write(5)
        #expect(file.value == 5)
        #expect(try bench.container.file(named: "v", initialValue: 0).value == 5)
        let error = #expect(throws: GroupFileError.self) { try file.write(nil) }
        #expect(error?.code == .unencodable)
        #expect(
            error?.message.hasSuffix("nil stands for a missing value: call remove() instead; nothing was changed")
                == true)
        #expect(file.value == 5)
        try bench.container.removeFile(named: "v")
        #expect(file.value == nil)
        #expect(file.status == .missing)
        try bench.container.removeFile(named: "v")
    }
}
