import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Defaults of a suite, on all backends where that makes a difference.
struct GroupDefaultsTests {
    struct Channel: Codable, Sendable, Equatable {
        var name: String
        var frequency: Double?
    }

    @Test(arguments: Backend.allCases)
    func whatIsSetIsRead(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        try defaults.set(true, forKey: "bool")
        try defaults.set(-5, forKey: "int")
        try defaults.set(1.5, forKey: "double")
        try defaults.set("text", forKey: "string")
        try defaults.set(Data([0, 255]), forKey: "data")
        try defaults.set([1, 2], forKey: "array")
        try defaults.set(["a": 1], forKey: "dictionary")
        try defaults.set(["a", 1, [true]] as [Any], forKey: "mixed")
        try defaults.set(["a": "b", "c": [1, "d"] as [Any]] as [String: Any], forKey: "tree")
        try defaults.set(Channel(name: "one", frequency: nil), forKey: "channel")
        #expect(defaults.bool(forKey: "bool"))
        #expect(defaults.integer(forKey: "int") == -5)
        #expect(defaults.double(forKey: "double") == 1.5)
        #expect(defaults.string(forKey: "string") == "text")
        #expect(defaults.data(forKey: "data") == Data([0, 255]))
        #expect(defaults.array(forKey: "array") as? [Int] == [1, 2])
        #expect(defaults.dictionary(forKey: "dictionary") as? [String: Int] == ["a": 1])
        let mixed = defaults.array(forKey: "mixed")
        #expect(mixed?.count == 3)
        #expect(mixed?[0] as? String == "a")
        #expect(mixed?[1] as? Int == 1)
        let tree = defaults.dictionary(forKey: "tree")
        #expect((tree?["c"] as? [any Sendable])?.count == 2)
        #expect(defaults.object(forKey: "channel", as: Channel.self) == Channel(name: "one"))
        #expect(defaults.object(forKey: "array", as: [Int].self) == [1, 2])
    }

    @Test func missingKeysReadAsUserDefaultsHasThem() {
        let defaults = GroupDefaults(container: .inMemory())
        #expect(!defaults.bool(forKey: "k"))
        #expect(defaults.integer(forKey: "k") == 0)
        #expect(defaults.double(forKey: "k") == 0)
        #expect(defaults.string(forKey: "k") == nil)
        #expect(defaults.data(forKey: "k") == nil)
        #expect(defaults.array(forKey: "k") == nil)
        #expect(defaults.dictionary(forKey: "k") == nil)
        #expect(defaults.object(forKey: "k", as: Int.self) == nil)
        #expect(defaults.dictionaryRepresentation().isEmpty)
    }

    /// The stored text, and its value as Bool, Int, Double and String.
    @Test(arguments: [
        ("5", true, 5, 5.0, "5"), ("0", false, 0, 0, "0"), ("1.9", true, 1, 1.9, "1.9"),
        ("-1.9", true, -1, -1.9, "-1.9"),
        ("true", true, 1, 1, "1"), ("false", false, 0, 0, "0"), ("\"YES\"", true, 0, 0, "YES"),
        ("\"no\"", false, 0, 0, "no"), ("\" 42 \"", true, 42, 42, " 42 "), ("\"2.5\"", true, 2, 2.5, "2.5"),
        ("\"no text\"", false, 0, 0, "no text"), ("1e30", true, .max, 1e30, "1e30"),
        ("-1e30", true, .min, -1e30, "-1e30"),
        ("\"0.5\"", false, 0, 0.5, "0.5"), ("\"5 apples\"", true, 5, 5, "5 apples"),
        ("\"Tuesday\"", true, 0, 0, "Tuesday"), ("\" yep\"", true, 0, 0, " yep"),
        ("\"+ 01\"", true, 1, 1, "+ 01"), ("\"-y\"", false, 0, 0, "-y"), ("\"0yes\"", false, 0, 0, "0yes"),
        ("null", false, 0, 0, nil), ("[1]", false, 0, 0, nil), ("{}", false, 0, 0, nil),
    ])
    func oneTypeIsReadAsAnother(json: String, bool: Bool, integer: Int, double: Double, string: String?) throws {
        let bench = try Backend.memory.make()
        try bench.put(json, in: "k")
        let defaults = GroupDefaults(container: bench.container)
        #expect(defaults.bool(forKey: "k") == bool)
        #expect(defaults.integer(forKey: "k") == integer)
        #expect(defaults.double(forKey: "k") == double)
        #expect(defaults.string(forKey: "k") == string)
    }

    /// For texts that begin in all ways: with white space, signs, zeros, and what may mean true.
    @Test func aTextIsTrueWhereItIsForNSString() throws {
        var random = SeededGenerator(seed: 1)
        let pieces = [
            "", " ", "\t", "\n", "\u{A0}", "\u{2003}", "+", "-", "0", "1", "y", "T", "no", ".5", "\u{301}", "x",
        ]
        let defaults = GroupDefaults(container: try Backend.memory.make().container)
        var found: Set<Bool> = []
        for _ in 0..<2000 {
            let text = (0..<4).map { _ in random.choose(pieces) }.joined()
            try defaults.set(text, forKey: "k")
            #expect(defaults.bool(forKey: "k") == NSString(string: text).boolValue, "\(text.debugDescription)")
            found.insert(defaults.bool(forKey: "k"))
        }
        #expect(found.count == 2)
    }

    @Test(arguments: Backend.allCases)
    func aKeyIsAValueOfTheGroup(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        let file = try GroupFile("luckyNumber", in: bench.container, initialValue: 0)
        try file.write(7)
        #expect(defaults.integer(forKey: "luckyNumber") == 7)
        try defaults.set(8, forKey: "luckyNumber")
        #expect(file.value == 8)
        try defaults.set(1, forKey: "a/b")
        #expect(try bench.container.currentNames() == ["a%2Fb", "luckyNumber"])
    }

    @Test func readingAndRemovingCreateNothing() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryDirectory()
            folder.holdContainers()
            let defaults = try GroupDefaults(suiteName: "group.example.test")
            #expect(defaults.integer(forKey: "k") == 0)
            try defaults.addSuite(named: "group.example.other")
            defaults.register(defaults: ["k": 1])
            #expect(defaults.integer(forKey: "k") == 1)
            try defaults.removeObject(forKey: "k")
            #expect(defaults.dictionaryRepresentation().count == 1)
            let subscription = defaults.observe("k", as: Int.self).sink { _ in }
            subscription.cancel()
            #expect(try folder.names() == [])
            try defaults.set(2, forKey: "k")
            #expect(defaults.integer(forKey: "k") == 2)
            #expect(FileManager.default.fileExists(atPath: folder.path("group.example.test/k")))
        }
    }

    @Test(arguments: ["", "a/b", "..", ".x", "a\nb"])
    func aSuiteNameThatIsNoneIsRefused(name: String) throws {
        let error = #expect(throws: GroupFileError.self) { try GroupDefaults(suiteName: name) }
        #expect(error?.code == .invalidName)
        let defaults = GroupDefaults(container: .inMemory())
        #expect(throws: GroupFileError.self) { try defaults.addSuite(named: name) }
    }

    @Test(arguments: Backend.allCases)
    func nilAndRemoveObjectRemove(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        let ways: [() throws -> Void] = [
            { try defaults.removeObject(forKey: "k") }, { try defaults.set(nil, forKey: "k") },
            { try defaults.set(Int?.none, forKey: "k") },
        ]
        for remove in ways {
            try defaults.set(Int?.some(5), forKey: "k")
            #expect(defaults.integer(forKey: "k") == 5)
            try remove()
            #expect(defaults.object(forKey: "k", as: Int.self) == nil)
            #expect(try bench.container.currentNames() == [])
        }
    }

    @Test func errorsAdviseOnlyWhatDefaultsCanDo() async throws {
        let defaults = GroupDefaults(container: .inMemory())
        let unencodable = #expect(throws: GroupFileError.self) { try defaults.set(Double.nan, forKey: "ratio") }
        #expect(unencodable?.message.contains("codec") == false)
        let large = String(repeating: "x", count: 16 << 20)
        let tooLarge = #expect(throws: GroupFileError.self) { try defaults.set(large, forKey: "text") }
        #expect(tooLarge?.code == .tooLarge)
        #expect(tooLarge?.message.contains("raise maximumSize") == false)
        let adopted = #expect(throws: GroupFileError.self) { try defaults.adopt(["text": large]) }
        #expect(adopted?.code == .tooLarge)
        #expect(adopted?.message == tooLarge?.message)
        let late = await #expect(throws: GroupFileError.self) {
            try await defaults.observe("volume", as: Int.self).first(timeout: .milliseconds(1)) { $0 != nil }
        }
        #expect(late?.code == .timedOut)
        #expect(late?.message.contains("\"volume\"") == true)
    }

    @Test func whatCannotBeSetLeavesWhatWasThereAndNamesTheKey() throws {
        let defaults = GroupDefaults(container: .inMemory())
        try defaults.set(1.5, forKey: "ratio")
        let error = #expect(throws: GroupFileError.self) { try defaults.set(Double.nan, forKey: "ratio") }
        #expect(error?.code == .unencodable)
        #expect(error?.message.contains("ratio") == true)
        #expect(throws: GroupFileError.self) { try defaults.set([JSONDecoder()] as [Any], forKey: "ratio") }
        #expect(defaults.double(forKey: "ratio") == 1.5)
        let long = String(repeating: "/", count: 67)
        let refused = #expect(throws: GroupFileError.self) { try defaults.set(1, forKey: long) }
        #expect(refused?.code == .invalidName)
        #expect(defaults.integer(forKey: long) == 0)
        #expect(throws: GroupFileError.self) { try defaults.adopt([long: 1]) }
    }

    @Test(arguments: Backend.allCases)
    func registeredDefaultsAreReadAndNeverWritten(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        defaults.register(defaults: ["volume": 5, "name": "x", "list": [1, "a"] as [Any]])
        defaults.register(defaults: ["volume": 6])
        #expect(defaults.integer(forKey: "volume") == 6)
        #expect(defaults.string(forKey: "name") == "x")
        #expect(defaults.array(forKey: "list")?.count == 2)
        #expect(try bench.container.currentNames() == [])
        try defaults.set(7, forKey: "volume")
        #expect(defaults.integer(forKey: "volume") == 7)
        try defaults.removeObject(forKey: "volume")
        #expect(defaults.integer(forKey: "volume") == 6)
    }

    /// As with UserDefaults, the object that registers need not be the one that reads.
    @Test(arguments: Backend.allCases)
    func whatOneObjectRegistersAllOfTheSuiteFind(backend: Backend) throws {
        let (bench, other) = (try backend.make(), try backend.make())
        let reader = GroupDefaults(container: bench.container)
        GroupDefaults(container: bench.container).register(defaults: ["volume": 5])
        GroupDefaults(container: other.container).register(defaults: ["volume": 7, "name": "x"])
        #expect(reader.integer(forKey: "volume") == 5)
        #expect(GroupDefaults(container: bench.container).integer(forKey: "volume") == 5)
        #expect(reader.string(forKey: "name") == nil)
        #expect(reader.dictionaryRepresentation() as? [String: Int] == ["volume": 5])
    }

    @Test func whatIsRegisteredAgainAndCannotBeEncodedIsGone() {
        let defaults = GroupDefaults(container: .inMemory())
        defaults.register(defaults: ["volume": 5, "name": "x"])
        defaults.register(defaults: ["volume": JSONDecoder()])
        #expect(defaults.object(forKey: "volume", as: Int.self) == nil)
        #expect(defaults.string(forKey: "name") == "x")
        #expect(defaults.dictionaryRepresentation().count == 1)
    }

    @Test func dictionaryRepresentationHasAllThatIsFoundFirst() throws {
        let bench = try Backend.tmpfs.make()
        let defaults = GroupDefaults(container: bench.container)
        defaults.register(defaults: ["r": 1, "own": 0])
        try defaults.set("value", forKey: "own")
        try defaults.set([1, 2], forKey: "a/b")
        try bench.put("no JSON", in: "foreign")
        try bench.put("5", in: "100%")
        let all = defaults.dictionaryRepresentation()
        #expect(Set(all.keys) == ["r", "own", "a/b"])
        #expect(all["own"] as? String == "value")
        #expect(all["r"] as? Int == 1)
        #expect(all["a/b"] as? [Int] == [1, 2])
    }

    @Test(arguments: Backend.allCases)
    func adoptTakesOverNothingThatIsThere(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        try defaults.set(1, forKey: "there")
        try defaults.adopt(["there": 9, "new": 2, "tree": ["a": [1, "b"] as [Any]]])
        #expect(defaults.integer(forKey: "there") == 1)
        #expect(defaults.integer(forKey: "new") == 2)
        #expect(defaults.dictionary(forKey: "tree")?.count == 1)
        try defaults.adopt(["new": 3])
        #expect(defaults.integer(forKey: "new") == 2)
        #expect(throws: GroupFileError.self) { try defaults.adopt(["aaa": 1, "bad": JSONDecoder()]) }
        #expect(defaults.object(forKey: "aaa", as: Int.self) == nil)
    }

    @Test func adoptSaysWhereNothingCanBeWritten() throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let defaults = GroupDefaults(container: try GroupContainer(directory: folder.path("c"), access: .readOnly))
        for values in [["k": 1], [:]] {
            let error = #expect(throws: GroupFileError.self) { try defaults.adopt(values) }
            #expect(error?.code == .readOnly)
        }
        #expect(try container.currentNames() == [])
    }

    /// Otherwise the caller would remove the only copy.
    @Test func G12_adoptSaysWhereNothingCanBeLookedAt() throws {
        let folder = try TemporaryDirectory()
        let defaults = GroupDefaults(container: try GroupContainer(directory: folder.path("c")))
        let place = folder.path("c/k")
        func adopt(refusing refused: Set<SystemCall>) throws {
            try SystemCallTap.tapping { call, detail in
                refused.contains(call) && detail == place ? .fail(.accessDenied) : .none
            } during: {
                try defaults.adopt(["k": 1])
            }
        }
        let error = #expect(throws: GroupFileError.self) { try adopt(refusing: [.fstatat, .open]) }
        #expect(error?.code == .permissionDenied)
        #expect(error?.path == place)
        try folder.write("2", to: "c/k")
        // A value that may not be read exists, and stays.
        #expect(throws: GroupFileError.self) { try adopt(refusing: [.open]) }
        #expect(try folder.read("c/k") == "2")
        try defaults.adopt(["k": 1])
    }

    /// All other keys are migrated.
    @Test(arguments: Backend.allCases)
    func G12_adoptSaysWhatIsThereAndIsNoValue(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        try bench.put("bad", in: "b")
        try bench.put("null", in: "c")
        let error = #expect(throws: GroupFileError.self) { try defaults.adopt(["a": 1, "b": 2, "c": 3, "d": 4]) }
        #expect(error?.code == .undecodable && error?.path?.hasSuffix("/b") == true)
        #expect(defaults.dictionaryRepresentation().keys.sorted() == ["a", "d"])
        #expect(try bench.text(of: "b") == "bad")
    }

    @Test(arguments: Backend.directories)
    func aFileThatIsBeingWrittenOrIsNoJSONLeavesTheLastGoodValue(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        try defaults.set(5, forKey: "k")
        try bench.put("", in: "k")
        #expect(defaults.integer(forKey: "k") == 5)
        try bench.put("{", in: "k")
        #expect(defaults.integer(forKey: "k") == 5)
        try bench.put("6", in: "k")
        #expect(defaults.integer(forKey: "k") == 6)
        #expect(defaults.string(forKey: "k") == "6")
    }

    @Test(arguments: Backend.directories)
    func aReadSeesWhatAnotherProcessPublishedBefore(backend: Backend) async throws {
        let bench = try backend.make()
        let folder = try #require(bench.folder)
        let defaults = GroupDefaults(container: bench.container)
        for number in 1...10 {
            try await folder.shell("echo \(number) > c/.t; mv c/.t c/k")
            #expect(defaults.integer(forKey: "k") == number)
        }
    }

    /// As with `read()`, a removal takes effect without the settle time: no read gives the old value while
    /// `dictionaryRepresentation` no longer has the key.
    @Test(arguments: Backend.directories)
    func aReadSeesWhatAnotherProcessRemovedBefore(backend: Backend) throws {
        let bench = try backend.make()
        let folder = try #require(bench.folder)
        let defaults = GroupDefaults(container: bench.container)
        defaults.register(defaults: ["k": 7])
        for path in ["c/k", "c"] {
            try defaults.set(5, forKey: "k")
            #expect(defaults.integer(forKey: "k") == 5)
            try FileManager.default.removeItem(atPath: folder.path + "/" + path)
            #expect(defaults.integer(forKey: "k") == 7)
            #expect(defaults.dictionaryRepresentation()["k"] as? Int == 7)
        }
    }

    static let odd = [
        "12abc", "0x10", "inf", "nan", "1e400", "99999999999999999999", "-99999999999999999999", " - 5", "1.5e",
        "1e+2x", "12e-1", "5E+2",
        ".5", "5.", "\n12", "Yup", "0T", "- 99", "1,5", "", "+", ".", "१२", "\u{2003}7",
    ]

    /// A string reads as the number that the toolchain's own defaults make of it.
    @Test func aStringIsReadAsUserDefaultsReadIt() throws {
        let name = "group-files-test-\(UUID().uuidString)"
        let theirs = try #require(UserDefaults(suiteName: name))
        defer { theirs.removePersistentDomain(forName: name) }
        let ours = GroupDefaults(container: .inMemory())
        let alphabet = Array("0159+-. \n\teExtyYTn\u{A0}\u{85},")
        var random = SeededGenerator.ofThisRun()
        let texts = (0..<500).map { _ in
            String((0..<Int.random(in: 0...7, using: &random)).map { _ in random.choose(alphabet) })
        }
        for text in Self.odd + texts {
            theirs.set(text, forKey: "k")
            try ours.set(text, forKey: "k")
            #expect(ours.integer(forKey: "k") == theirs.integer(forKey: "k"), "\(text.debugDescription)")
            #expect(ours.double(forKey: "k") == theirs.double(forKey: "k"), "\(text.debugDescription)")
        }
    }

    @Test(arguments: [2.0, 2.5, -0.0, 1e100, 1e-7, 1e16])
    func aDoubleIsTheStringThatSwiftMakesOfIt(number: Double) throws {
        let ours = GroupDefaults(container: .inMemory())
        try ours.set(number, forKey: "k")
        #expect(ours.string(forKey: "k") == "\(number)")
        #expect(ours.double(forKey: "k") == number)
        if number == 2 { #expect(ours.object(forKey: "k", as: Int.self) == 2) }
    }

    @Test func aDoubleStaysADoubleInArraysAndDictionaries() throws {
        let defaults = GroupDefaults(container: .inMemory())
        try defaults.set([0.5, 1], forKey: "array")
        try defaults.set([2, nil, 1e100] as [Double?], forKey: "optional")
        try defaults.set(["volume": 1, "balance": 0.5], forKey: "dictionary")
        try defaults.set(["a": [[Float(2)], []]], forKey: "tree")
        try defaults.set(["list": [1.0], "count": 1] as [String: Any], forKey: "mixed")
        try defaults.set(Float(3), forKey: "float")
        defaults.register(defaults: ["registered": [1.0, 2.0], "one": Float(4)])
        #expect(defaults.array(forKey: "array") as? [Double] == [0.5, 1])
        #expect(defaults.array(forKey: "optional") as? [Double] == [2, 1e100])
        #expect(defaults.dictionary(forKey: "dictionary") as? [String: Double] == ["volume": 1, "balance": 0.5])
        #expect(defaults.dictionary(forKey: "tree") as? [String: [[Double]]] == ["a": [[2], []]])
        let mixed = defaults.dictionary(forKey: "mixed")
        #expect(mixed?["list"] as? [Double] == [1])
        #expect(mixed?["count"] as? Int == 1)
        #expect(defaults.array(forKey: "registered") as? [Double] == [1, 2])
        let all = defaults.dictionaryRepresentation()
        #expect(all["float"] as? Double == 3)
        #expect(all["one"] as? Double == 4)
        try defaults.set([1, 2], forKey: "integers")
        #expect(defaults.array(forKey: "integers") as? [Int] == [1, 2])
        #expect(defaults.object(forKey: "array", as: [Double].self) == [0.5, 1])
        #expect(throws: GroupFileError.self) { try defaults.set([1, Double.nan], forKey: "array") }
    }
}
