import Foundation

/// Types that people write by hand, and some that nobody should write.
enum Odd {
    enum Keys: String, CodingKey { case a, b, c, d }

    struct AnyName: CodingKey {
        var stringValue: String
        var intValue: Int? { Int(stringValue) }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { self.init(stringValue: String(intValue)) }
    }

    /// Swallows errors.
    struct Lenient: Codable, Equatable, Sendable {
        var a: Int
        var b: String?
        var c: [Double]?
        var text: String?
        var list: [Int]?

        init(from decoder: any Decoder) throws {
            let container = try? decoder.container(keyedBy: Keys.self)
            a = (try? container?.decode(Int.self, forKey: .a)) ?? -1
            b = try? container?.decodeIfPresent(String.self, forKey: .b)
            c = try? container?.decode([Double].self, forKey: .c)
            text = try? decoder.singleValueContainer().decode(String.self)
            list = try? [Int](from: decoder)
        }
    }

    /// Records everything that it can see.
    struct Curious: Codable, Equatable, Sendable {
        var seen: [String] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyName.self)
            seen = container.allKeys.map(\.stringValue).sorted()
            seen.append("\(decoder.userInfo.count) \(container.contains(AnyName(stringValue: "a")))")
            for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                if try container.decodeNil(forKey: key) { seen.append("nil at \(key.stringValue)") }
            }
        }
    }

    struct Pathfinder: Codable, Equatable, Sendable {
        struct Step: Codable, Equatable, Sendable {
            var path: [String]

            init(from decoder: any Decoder) throws {
                path = decoder.codingPath.map { "\($0.stringValue) \($0.intValue ?? -1)" }
                // Inside a container there must be a last key, so no check is made here.
                path.append(decoder.codingPath[decoder.codingPath.count - 1].stringValue)
            }

            func encode(to encoder: any Encoder) throws {
                try encoder.codingPath.map(\.stringValue).encode(to: encoder)
            }
        }

        var a: [Step]
        var b: Step?
    }

    /// Counts elements, enters nested containers, and comes back.
    struct Walker: Codable, Equatable, Sendable {
        var seen: [String] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            seen.append("\(list.count ?? -1)")
            while !list.isAtEnd {
                seen.append("at \(list.currentIndex)")
                if try list.decodeNil() { continue }
                if var inner = try? list.nestedUnkeyedContainer() {
                    seen.append("\(try inner.decodeIfPresent(Int.self) ?? -1) \(inner.currentIndex) \(inner.isAtEnd)")
                } else if let inner = try? list.nestedContainer(keyedBy: Keys.self) {
                    seen.append("\(inner.allKeys.count) \(try inner.decodeIfPresent(UInt8.self, forKey: .a) ?? 0)")
                    if inner.contains(.b) { seen.append("\(try inner.nestedUnkeyedContainer(forKey: .b).count ?? 0)") }
                } else {
                    seen.append(try list.decode(String.self))
                }
            }
        }
    }

    /// The same, but nothing throws.
    struct Marcher: Codable, Equatable, Sendable {
        var sum = 0
        var nested: [Int] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            var inner = try list.nestedUnkeyedContainer()
            while !inner.isAtEnd { sum += try inner.decode(Int.self) }
            let object = try list.nestedContainer(keyedBy: Keys.self)
            sum += try object.nestedContainer(keyedBy: Keys.self, forKey: .a).decode(Int.self, forKey: .b)
            sum += try Int(from: try object.superDecoder(forKey: .c))
            nested = try [Int](from: try list.superDecoder())
            if !list.isAtEnd, try list.decodeNil() { sum += 1000 * list.currentIndex }
        }

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(sum)
            try list.encode(list.count)
            try list.encode(nested)
        }
    }

    /// Requests the members of a wide object from the last to the first, and some that are not there.
    struct Backwards: Codable, Equatable, Sendable {
        var seen: [Int] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyName.self)
            for number in (90..<202).reversed() {
                let key = AnyName(stringValue: "k\(number)")
                seen.append(container.contains(key) ? try container.decode(Int.self, forKey: key) : -1)
            }
        }

        func encode(to encoder: any Encoder) throws { try seen.encode(to: encoder) }
    }

    /// Asks for more elements than there are, and counts.
    struct Seeker: Codable, Equatable, Sendable {
        var seen: [Int] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { seen.append(try list.decodeIfPresent(Int.self) ?? -1) }
            for _ in 0..<2 {
                seen.append(try list.decodeIfPresent(Int.self) ?? -2)
                seen.append(try list.decodeIfPresent([Int].self)?.count ?? -2)
                seen.append(list.currentIndex)
            }
        }

        func encode(to encoder: any Encoder) throws { try seen.encode(to: encoder) }
    }

    /// Takes the error after the last element for the end of the array, and keeps its text.
    struct Overrunner: Codable, Equatable, Sendable {
        var sum = 0
        var end = ""

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while end.isEmpty {
                do { sum += try list.decode(Int.self) } catch { end = "\(error)" }
            }
        }
    }

    /// Has a superclass for which the document may have nothing.
    struct Orphan: Codable, Equatable, Sendable {
        var seen: [String] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            for above in [try? container.superDecoder(), try? container.superDecoder(forKey: .a)] {
                guard let above else {
                    seen.append("no decoder")
                    continue
                }
                let value = try above.singleValueContainer()
                seen.append("\(value.decodeNil()) \(try value.decode(Int?.self) ?? -1)")
            }
        }

        func encode(to encoder: any Encoder) throws { try seen.encode(to: encoder) }
    }

    /// Keeps its decoder, and uses it too late.
    struct Keeper: Codable, Equatable, Sendable {
        struct Kept: Codable, Sendable {
            nonisolated(unsafe) let decoder: any Decoder
            init(from decoder: any Decoder) throws { unsafe self.decoder = decoder }
            func encode(to encoder: any Encoder) throws {}
        }

        var a: Int

        init(from decoder: any Decoder) throws {
            let kept = try decoder.container(keyedBy: Keys.self).decode(Kept.self, forKey: .a)
            let container = try? unsafe kept.decoder.singleValueContainer()
            a = (try? container?.decode(Int.self)) ?? -1
        }
    }

    /// Holds its decoder for later use.
    struct Holder: Codable, Equatable, Sendable {
        var a: Keeper.Kept

        private var seen: String {
            let container = try? unsafe a.decoder.singleValueContainer()
            return (try? container?.decode(String.self)) ?? "nothing"
        }

        static func == (first: Holder, second: Holder) -> Bool { first.seen == second.seen }
    }

    /// Relies on its document being right.
    struct Sure: Codable, Equatable, Sendable {
        var link: URL
        var bytes: Data
        var sum: Decimal
        var count: Int

        // The test is about errors that must not be thrown.
        // swift-format-ignore: NeverUseForceTry
        init(from decoder: any Decoder) throws {
            let container = try! decoder.container(keyedBy: Keys.self)
            link = try! container.decode(URL.self, forKey: .a)
            bytes = try! container.decode(Data.self, forKey: .b)
            sum = try! container.decode(Decimal.self, forKey: .c)
            count = try! container.decode(Int.self, forKey: .d)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(link, forKey: .a)
            try container.encode(bytes, forKey: .b)
            try container.encode(sum, forKey: .c)
            try container.encode(count, forKey: .d)
        }
    }

    /// A single value.
    struct Single: Codable, Equatable, Sendable {
        var value: Stored.Tree?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = container.decodeNil() ? nil : try container.decode(Stored.Tree.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let value { try container.encode(value) } else { try container.encodeNil() }
        }
    }
}
