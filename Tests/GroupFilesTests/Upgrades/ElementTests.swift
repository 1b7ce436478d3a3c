import Foundation
import GroupFiles
import PlainJSON
import TestSupport
import Testing

/// Members that the type does not know, within elements of arrays and dictionaries: they stay where it is clear which
/// element of the old value is which one of the new.
struct ElementTests {
    struct Job: Codable, Sendable, Equatable {
        var name: String
        var note: String?
    }

    struct Queue: Codable, Sendable {
        var jobs: [Job] = []
        var paused = false
    }

    private static func queue(_ jobs: Job...) -> Queue { Queue(jobs: jobs) }

    private static let three = #"{"jobs":[{"name":"a","x":1},{"name":"b","x":2},{"name":"c","x":3}],"paused":true}"#

    @Test(arguments: [
        // Something else changes.
        (
            queue(.init(name: "a"), .init(name: "b"), .init(name: "c")),
            #"{"name":"a","x":1},{"name":"b","x":2},{"name":"c","x":3}"#
        ),
        // Elements go: the first, one in the middle, the last, all.
        (queue(.init(name: "b"), .init(name: "c")), #"{"name":"b","x":2},{"name":"c","x":3}"#),
        (queue(.init(name: "a"), .init(name: "c")), #"{"name":"a","x":1},{"name":"c","x":3}"#),
        (queue(.init(name: "a"), .init(name: "b")), #"{"name":"a","x":1},{"name":"b","x":2}"#),
        (queue(), ""),
        // Elements come.
        (
            queue(.init(name: "z"), .init(name: "a"), .init(name: "b"), .init(name: "y"), .init(name: "c")),
            #"{"name":"z"},{"name":"a","x":1},{"name":"b","x":2},{"name":"y"},{"name":"c","x":3}"#
        ),
        // They change places.
        (
            queue(.init(name: "c"), .init(name: "b"), .init(name: "a")),
            #"{"name":"c","x":3},{"name":"b","x":2},{"name":"a","x":1}"#
        ),
        // One changes: nobody can tell whether it is another.
        (
            queue(.init(name: "a"), .init(name: "b", note: "n"), .init(name: "c")),
            #"{"name":"a","x":1},{"name":"b","note":"n"},{"name":"c","x":3}"#
        ),
        (queue(.init(name: "b", note: "n"), .init(name: "c")), #"{"name":"b","note":"n"},{"name":"c","x":3}"#),
        // One is copied: nobody can tell which is the copy.
        (queue(.init(name: "b"), .init(name: "b")), #"{"name":"b"},{"name":"b"}"#),
    ])
    func G12_elementsThatStayKeepWhatIsUnknown(new: Queue, jobs: String) throws {
        #expect(try Bench.written(new, over: Self.three) == #"{"jobs":[\#(jobs)],"paused":false}"#)
    }

    /// Elements that are alike stay in their order if the list is unchanged. Otherwise nobody can tell which is which.
    @Test(arguments: [
        (["a", "a", "b", "a"], "1 2 3 4"), (["a", "b", "a", "a"], "- 3 - -"), (["a", "a", "b", "a", "c"], "- - 3 - -"),
        (["a", "a", "b"], "- - 3"), (["b", "a", "a"], "3 - -"), (["c"], "-"),
    ])
    func equalElementsAreNotMixedUp(new: [String], marks: String) throws {
        let old = #"[{"name":"a","x":1},{"name":"a","x":2},{"name":"b","x":3},{"name":"a","x":4}]"#
        let expected = zip(new, marks.split(separator: " ")).map { name, mark in
            mark == "-" ? #"{"name":"\#(name)"}"# : #"{"name":"\#(name)","x":\#(mark)}"#
        }
        #expect(
            try Bench.written(new.map { Job(name: $0) }, over: old) == "[" + expected.joined(separator: ",") + "]")
    }

    struct Versioned: Codable, Sendable, Equatable {
        var name: String
        var size: Int
    }

    /// A new version requires what an old one does not know.
    @Test(arguments: Backend.allCases)
    func aNewVersionReadsOnWhileAnOldOneWrites(backend: Backend) throws {
        let bench = try backend.make()
        let new = try GroupFile("v", in: bench.container, initialValue: [Versioned]())
        try new.write([.init(name: "a", size: 1), .init(name: "b", size: 2)])
        let old = try GroupFile("v", in: bench.container, initialValue: [Job]())
        try old.update { $0.swapAt(0, 1) }
        #expect(try new.read() == [.init(name: "b", size: 2), .init(name: "a", size: 1)])
        try old.update { _ = $0.removeFirst() }
        #expect(try new.read() == [.init(name: "a", size: 1)])
        // What is not a copy of what was there has no size.
        try old.update { $0.append(Job(name: "c")) }
        #expect(throws: GroupFileError.self) { try new.read() }
        #expect(try bench.text(of: "v") == #"[{"name":"a","size":1},{"name":"c"}]"# + "\n")
    }

    /// What the page about upgrades shows.
    @Test func oneComesAndOneGoes() throws {
        #expect(
            try Bench.written(
                [Job(name: "test"), Job(name: "ship")],
                over: #"[{"host":"a","name":"build"},{"host":"b","name":"test"}]"#)
                == #"[{"host":"b","name":"test"},{"name":"ship"}]"#)
    }

    struct Board: Codable, Sendable {
        var columns: [String: [Job]] = [:]
        var owners: [String: Job] = [:]
        var grid: [[Job]] = []
    }

    /// A key tells which value is which, even if it changes.
    @Test func G12_valuesOfDictionariesKeepWhatIsUnknown() throws {
        let old =
            #"{"columns":{"done":[{"name":"a","x":1}],"todo":[{"name":"b","x":2},{"name":"c","x":3}]},"#
            + #""grid":[[{"name":"g","x":1}],[{"name":"h","x":2},{"name":"i","x":3}]],"#
            + #""owners":{"ann":{"name":"o","note":"n","x":4},"bob":{"name":"p","x":5}},"u":0}"#
        let new = Board(
            columns: ["todo": [.init(name: "c")], "new": [.init(name: "a")]],
            owners: ["ann": .init(name: "q"), "eve": .init(name: "p")],
            grid: [[.init(name: "h"), .init(name: "i")], [.init(name: "g")]])
        #expect(
            try Bench.written(new, over: old)
                == #"{"columns":{"new":[{"name":"a"}],"todo":[{"name":"c","x":3}]},"#
                + #""grid":[[{"name":"h","x":2},{"name":"i","x":3}],[{"name":"g","x":1}]],"#
                + #""owners":{"ann":{"name":"q","x":4},"eve":{"name":"p"}},"u":0}"#)
    }

    @Test func soDoesADictionaryThatIsTheValue() throws {
        let old = #"{"a":{"name":"n","x":1},"b":{"name":"m","x":2},"é":{"name":"k","x":3}}"#
        #expect(
            try Bench.written(["a": Job(name: "o"), "c": Job(name: "m"), "é": Job(name: "k")], over: old)
                == #"{"a":{"name":"o","x":1},"c":{"name":"m"},"é":{"name":"k","x":3}}"#)
        // Its own keys are all known.
        #expect(try Bench.written(["c": Job(name: "m")], over: old) == #"{"c":{"name":"m"}}"#)
        #expect(try Bench.written([String: Job](), over: old) == "{}")
        #expect(try Bench.written(["a": [1]], over: #"{"a":[2,3],"b":[]}"#) == #"{"a":[1]}"#)
    }

    enum Shape: Codable, Sendable {
        case circle(radius: Int)
        case square(side: Int)
    }

    struct Drawing: Codable, Sendable {
        var shapes: [Shape] = []
        var named: [String: Shape] = [:]
    }

    @Test func payloadsKeepWhatIsUnknownOfTheSameCase() throws {
        let old =
            #"{"named":{"a":{"circle":{"radius":1,"x":1}},"b":{"circle":{"radius":2,"x":2}}},"#
            + #""shapes":[{"circle":{"radius":3,"x":3}},{"square":{"side":4,"x":4}}]}"#
        #expect(
            try Bench.written(
                Drawing(
                    shapes: [.square(side: 4), .circle(radius: 5)],
                    named: ["a": .circle(radius: 6), "b": .square(side: 2)]),
                over: old)
                == #"{"named":{"a":{"circle":{"radius":6,"x":1}},"b":{"square":{"side":2}}},"#
                + #""shapes":[{"square":{"side":4,"x":4}},{"circle":{"radius":5}}]}"#)
    }

    @Test func keyStrategiesAreFollowed() throws {
        struct Track: Codable, Sendable {
            var trackName: String
        }
        let codec = GroupCodec<[String: [Track]]>.json(
            encoder: { $0.keyEncodingStrategy = .convertToSnakeCase },
            decoder: { $0.keyDecodingStrategy = .convertFromSnakeCase })
        #expect(
            try Bench.written(
                ["my_list": [Track(trackName: "b")]],
                over: #"{"my_list":[{"track_name":"a","un_known":1},{"track_name":"b","un_known":2}]}"#, codec: codec)
                == #"{"my_list":[{"track_name":"b","un_known":2}]}"#)
    }

    /// A key within an object that the type asks for tells where the list is, whatever it is called in the old text.
    @Test func listsAreFoundUnderAnotherSpelling() throws {
        struct List: Codable, Sendable {
            var myJobs: [Job]
        }
        let codec = GroupCodec<List>.json(
            encoder: { $0.keyEncodingStrategy = .convertToSnakeCase },
            decoder: { $0.keyDecodingStrategy = .convertFromSnakeCase })
        #expect(
            try Bench.written(
                List(myJobs: [Job(name: "b")]), over: #"{"myJobs":[{"name":"a"},{"name":"b","x":2}]}"#, codec: codec)
                == #"{"my_jobs":[{"name":"b","x":2}]}"#)
    }

    /// An element of an older form: its keys are not unknown, although the type does not write them.
    struct Renamed: Codable, Sendable {
        var title: String
        var id: Int

        enum CodingKeys: CodingKey { case title, name, id, version }

        init(title: String, id: Int) { (self.title, self.id) = (title, id) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title =
                try container.decodeIfPresent(String.self, forKey: .title)
                ?? container.decode(String.self, forKey: .name)
            id = try container.decode(Int.self, forKey: .id)
            // The first version counted from zero, and said so.
            if try container.decodeIfPresent(Int.self, forKey: .version) == 1 { id += 1 }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(title, forKey: .title)
            try container.encode(id, forKey: .id)
        }
    }

    @Test(arguments: [
        (#"{"name":"a","id":1,"x":2}"#, #"{"id":1,"title":"a","x":2}"#),
        (#"{"title":"a","id":1,"x":2}"#, #"{"id":1,"title":"a","x":2}"#),
        (#"{"title":"a","id":0,"version":1,"x":2}"#, #"{"id":1,"title":"a","x":2}"#),
    ])
    func anOlderFormIsReplaced(old: String, new: String) throws {
        let renamed = Renamed(title: "a", id: 1)
        #expect(try Bench.written(["k": renamed], over: #"{"k":\#(old)}"#) == #"{"k":\#(new)}"#)
        // In a list, what is written differently might be another element.
        let element = old.contains(#""title":"a","id":1"#) ? new : #"{"id":1,"title":"a"}"#
        #expect(try Bench.written([renamed], over: "[\(old)]") == "[\(element)]")
    }

    /// A list that leaves out what it cannot read, and names that it has already.
    struct Lossy: Codable, Sendable {
        var jobs: [Job] = []

        private struct Maybe: Decodable {
            let job: Job?
            init(from decoder: any Decoder) throws { job = try? Job(from: decoder) }
        }

        private enum CodingKeys: CodingKey { case jobs }

        init(_ jobs: [Job]) { self.jobs = jobs }

        init(from decoder: any Decoder) throws {
            for maybe in try decoder.container(keyedBy: CodingKeys.self).decode([Maybe].self, forKey: .jobs) {
                if let job = maybe.job, !jobs.contains(job) { jobs.append(job) }
            }
        }
    }

    @Test(arguments: [
        #"{"x":1},{"name":"b","x":2}"#, #"{"name":"b","x":1},{"name":"b","x":2}"#, #"{"name":"b","x":1},{"x":2}"#,
    ])
    func whereElementsWereLeftOutNothingTellsWhichIsWhich(jobs: String) throws {
        #expect(
            try Bench.written(Lossy([Job(name: "b")]), over: #"{"jobs":[\#(jobs)],"y":3}"#)
                == #"{"jobs":[{"name":"b"}],"y":3}"#)
    }

    /// A map that leaves out long keys.
    struct Short: Codable, Sendable {
        var map: [String: [Job]]

        init(_ map: [String: [Job]]) { self.map = map }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            map = [:]
            for key in container.allKeys where key.stringValue.count == 1 {
                map[key.stringValue] = try container.decode([Job].self, forKey: key)
            }
        }

        func encode(to encoder: any Encoder) throws { try map.encode(to: encoder) }
    }

    @Test func whoAsksForAllKeysKnowsThemAll() throws {
        #expect(
            try Bench.written(Short(["a": [Job(name: "b")]]), over: #"{"a":[{"name":"b","x":1}],"bb":[]}"#)
                == #"{"a":[{"name":"b","x":1}]}"#)
    }

    /// The type cannot write what was there.
    struct Positive: Codable, Sendable {
        var number: Int

        struct IsNegative: Error {}

        func encode(to encoder: any Encoder) throws {
            if number < 0 { throw IsNegative() }
            try ["number": number].encode(to: encoder)
        }
    }

    @Test func whatTheTypeCannotWriteIsReplaced() throws {
        #expect(
            try Bench.written([Positive(number: 1)], over: #"[{"number":1,"x":1},{"number":-1}]"#)
                == #"[{"number":1}]"#)
    }

    @Test func textIsCarriedAsWritten() throws {
        let old = "[ {\"name\":\"a\", \"x\" : 1.50 , \"\\u0061\":[ {} ] } , 7 , 8 ]"
        enum Item: Codable, Sendable {
            case job(Job)
            case number(Int)

            init(from decoder: any Decoder) throws {
                if let number = try? decoder.singleValueContainer().decode(Int.self) {
                    self = .number(number)
                } else {
                    self = .job(try Job(from: decoder))
                }
            }

            func encode(to encoder: any Encoder) throws {
                switch self {
                case .job(let job): try job.encode(to: encoder)
                case .number(let number): try number.encode(to: encoder)
                }
            }
        }
        #expect(
            try Bench.written([Item.job(Job(name: "a")), .number(8)], over: old)
                == "[{\"\\u0061\":[ {} ],\"name\":\"a\",\"x\" : 1.50},8]")
        let pretty = GroupCodec<[Job]>.json(encoder: { $0.outputFormatting = .prettyPrinted })
        #expect(
            try Bench.written([Job(name: "b")], over: #"[{"name":"a"},{"name":"b","x":1}]"#, codec: pretty) == """
                [
                  {
                    "name" : "b",
                    "x":1
                  }
                ]
                """)
    }

    /// If elements were looked up one by one, each time from the beginning, this would take minutes.
    @Test(.endsInTime) func longListsAreCompared() throws {
        let names = (0..<5000).map { "job \($0)" }
        let old = "[" + names.map { #"{"name":"\#($0)","x":1}"# }.joined(separator: ",") + "]"
        let remaining = names.dropFirst().reversed()
        let text = "[" + remaining.map { #"{"name":"\#($0)","x":1}"# }.joined(separator: ",") + "]"
        #expect(try Bench.written(remaining.map { Job(name: $0) }, over: old) == text)
    }

    struct Parts: Codable, Sendable {
        struct Named: Codable, Hashable, Sendable {
            var name: String
        }

        var list: [Named] = []
        var set: Set<Named> = []
        var byID: [UUID: Named] = [:]
        var byName: [Named: Named]? = [:]
        var byNumber: [Int: Named] = [:]
    }

    /// Sets, and dictionaries whose keys are not written as keys, are arrays in any order, another one each time:
    /// nothing tells which element is which.
    @Test func elementsWithoutAnOrderAreReplacedWhole() throws {
        let named = #"{"name":"n","x":1}"#
        for _ in 0..<20 {
            let bench = try Backend.memory.make()
            let id = UUID()
            try bench.put(
                #"{"byID":["\#(id)",\#(named)],"byName":[\#(named),\#(named)],"byNumber":{"1":\#(named),"2":\#(named)},"#
                    + #""list":[\#(named)],"set":[\#(named)]}"#, in: "v")
            let file = try GroupFile("v", in: bench.container, initialValue: Parts())
            let known = Parts.Named(name: "n")
            try file.update { parts in
                parts.list.append(Parts.Named(name: "o"))
                #expect(parts.set == [known])
                #expect(parts.byID == [id: known])
                #expect(parts.byName == [known: known])
                parts.byNumber[2] = nil
            }
            let bare = #"{"name":"n"}"#
            #expect(
                try bench.text(of: "v")
                    == #"{"byID":["\#(id)",\#(bare)],"byName":[\#(bare),\#(bare)],"byNumber":{"1":\#(named)},"#
                    + #""list":[\#(named),{"name":"o"}],"set":[\#(bare)]}"# + "\n")
        }
    }

    /// A type that sorts its elements when it decodes them.
    struct Sorted: Codable, Sendable {
        var jobs: [Job] = []

        private enum CodingKeys: CodingKey { case jobs }

        init(_ jobs: [Job]) { self.jobs = jobs }

        init(from decoder: any Decoder) throws {
            jobs = try decoder.container(keyedBy: CodingKeys.self).decode([Job].self, forKey: .jobs)
                .sorted { $0.name < $1.name }
        }
    }

    @Test func elementsThatTheTypeHasPutElsewhereAreNotMixedUp() throws {
        #expect(
            try Bench.written(
                Sorted(["a", "b", "c", "d"].map { Job(name: $0) }),
                over: #"{"jobs":[{"name":"b","x":2},{"name":"a","x":1},{"name":"c","x":3}]}"#)
                == #"{"jobs":[{"name":"a"},{"name":"b"},{"name":"c","x":3},{"name":"d"}]}"#)
    }

    /// A list that tries each element as a number first, and skips what it knows neither as a number nor as a job.
    struct Tries: Codable, Sendable {
        var jobs: [Job] = []

        private struct Anything: Decodable {}

        init(_ jobs: [Job]) { self.jobs = jobs }

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                if let number = try? list.decode(Int.self) {
                    jobs.append(Job(name: "\(number)"))
                } else if let job = try? list.decode(Job.self) {
                    jobs.append(job)
                } else {
                    _ = try list.decode(Anything.self)
                    jobs.append(Job(name: "?"))
                }
            }
        }

        func encode(to encoder: any Encoder) throws { try jobs.encode(to: encoder) }
    }

    @Test func anElementThatFailsIsDecodedAgain() throws {
        let old = #"[7,{"name":"a","x":1},{"y":2},null,[{}],{"name":"b","x":3}]"#
        let known = [7, "a", "?", "?", "?", "b"].map { Job(name: "\($0)") }
        #expect(
            try Bench.written(Tries(known.dropLast(2) + known.suffix(1)), over: old)
                == #"[{"name":"7"},{"name":"a","x":1},{"name":"?"},{"name":"?"},{"name":"b","x":3}]"#)
    }

    /// A type that asks an array for containers, rather than for values.
    struct Containers: Codable, Sendable {
        private enum CodingKeys: CodingKey { case a }

        var values = [1, 2, 3]

        init() {}

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            let first = try list.nestedContainer(keyedBy: CodingKeys.self).decode(Int.self, forKey: .a)
            var inner = try list.nestedUnkeyedContainer()
            let second = try inner.nestedContainer(keyedBy: CodingKeys.self).decode(Int.self, forKey: .a)
            let third = try list.superDecoder().container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .a)
            values = [first, second, third]
        }

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            var first = list.nestedContainer(keyedBy: CodingKeys.self)
            try first.encode(values[0], forKey: .a)
            var inner = list.nestedUnkeyedContainer()
            var second = inner.nestedContainer(keyedBy: CodingKeys.self)
            try second.encode(values[1], forKey: .a)
            var third = list.superEncoder().container(keyedBy: CodingKeys.self)
            try third.encode(values[2], forKey: .a)
        }
    }

    @Test func containersOfAnArrayCount() throws {
        #expect(
            try Bench.written(Containers(), over: #"[{"a":1,"x":1},[{"a":2,"x":2}],{"a":4,"x":3}]"#)
                == #"[{"a":1,"x":1},[{"a":2,"x":2}],{"a":3}]"#)
    }

    @Test(arguments: [
        (#"[[{"name":"a","x":1}]]"#, [[], [Job(name: "a")]], #"[[],[{"name":"a","x":1}]]"#),
        (#"[[],[{"name":"a","x":1}]]"#, [[Job(name: "a")], []], #"[[{"name":"a","x":1}],[]]"#),
        (#"[[{"name":"a","x":1}],[]]"#, [[]], "[[]]"),
    ])
    func listsOfListsAreCompared(old: String, new: [[Job]], expected: String) throws {
        #expect(try Bench.written(new + [[Job(name: "z")]], over: old) == expected.dropLast() + #",[{"name":"z"}]]"#)
    }

    @Test func elementsMayBeNull() throws {
        #expect(
            try Bench.written(
                [nil, Job(name: "q"), Job(name: "a")], over: #"[{"name":"a","x":1}]"#)
                == #"[null,{"name":"q"},{"name":"a","x":1}]"#)
        #expect(
            try Bench.written([Job(name: "a")] as [Job?], over: #"[null,{"name":"a","note":null,"x":1}]"#)
                == #"[{"name":"a","x":1}]"#)
    }

    /// A type that is an object, or a dictionary of them: nothing but the keys says which.
    enum OneOrMany: Codable, Sendable {
        case one(Job)
        case many([String: Job])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let job = try? container.decode(Job.self) {
                self = .one(job)
            } else {
                self = .many(try container.decode([String: Job].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .one(let job): try job.encode(to: encoder)
            case .many(let jobs): try jobs.encode(to: encoder)
            }
        }
    }

    @Test(arguments: Backend.directories)
    func whatTheTypeWouldTakeForItsOwnIsKept(backend: Backend) throws {
        let bench = try backend.make()
        let folder = try #require(bench.folder)
        let old = #"{"k":{"name":"a","x":"s"}}"#
        try bench.put(old, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: [String: OneOrMany]())
        try file.update { $0["k"] = .many(["p": Job(name: "z")]) }
        #expect(try bench.text(of: "v") == #"{"k":{"p":{"name":"z"}}}"# + "\n")
        #expect(try folder.read("c/.groupfile/v.rejected") == old)
    }

    /// A list that was once a set, or a dictionary, with objects for keys.
    struct OnceASet: Codable, Sendable {
        var jobs: [Job] = []

        private struct Named: Codable, Hashable {
            var name: String
            var required: Int
        }

        init(_ jobs: [Job]) { self.jobs = jobs }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if (try? container.decode(Set<Named>.self)) == nil, (try? container.decode([String: Named].self)) == nil {
                jobs = try container.decode([Job].self)
            }
        }

        func encode(to encoder: any Encoder) throws { try jobs.encode(to: encoder) }
    }

    @Test func aListThatIsTriedAsASetIsAList() throws {
        #expect(
            try Bench.written(OnceASet([Job(name: "b")]), over: #"[{"name":"a","x":1},{"name":"b","x":2}]"#)
                == #"[{"name":"b","x":2}]"#)
    }

    struct Outer: Codable, Sendable {
        struct Middle: Codable, Sendable {
            struct Inner: Codable, Sendable {
                var number = 1
            }

            var inner = Inner()
        }

        var map = ["k": ["l": Middle()]]
        var list = [[Middle()]]
        var top = 1
    }

    /// Key strategies of a program's own are told where each key is, in elements as well: here keys within the list and
    /// the map have a mark. (The encoder is not told the outermost key within dictionaries.)
    @Test func keyStrategiesKnowWhereElementsAre() throws {
        let codec = GroupCodec<Outer>.json(
            encoder: {
                $0.keyEncodingStrategy = .custom { path in
                    let key = path.last?.stringValue ?? ""
                    return AnyKey(["inner", "number"].contains(key) ? "-" + key : key)
                }
            },
            decoder: {
                $0.keyDecodingStrategy = .custom { path in
                    let (top, key) = (path[0].stringValue, path[path.count - 1].stringValue)
                    if path.count == 1 { return AnyKey(key) }
                    return AnyKey(["list", "map"].contains(top) ? String(key.dropFirst()) : "elsewhere")
                }
            })
        func text(top: Int) -> String {
            let middle = #"{"-inner":{"-number":1,"-x":1}}"#
            return #"{"list":[[\#(middle)]],"map":{"k":{"l":\#(middle)}},"top":\#(top)}"#
        }
        let written = try Bench.written(Outer(), over: text(top: 2), codec: codec)
        #expect(written == text(top: 1))
    }

    @Test func aListThatGrowsTooLargeIsNotWritten() throws {
        let bench = try Backend.memory.make()
        let old = #"[{"name":"a","x":"0123456789"}]"#
        try bench.put(old, in: "v")
        let file = try GroupFile("v", in: bench.container, initialValue: [Job](), maximumSize: 40)
        let error = #expect(throws: GroupFileError.self) { try file.update { $0.append(Job(name: "b")) } }
        #expect(error?.code == .tooLarge)
        #expect(try bench.text(of: "v") == old)
    }
}
