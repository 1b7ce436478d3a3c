public import FoundationEssentials
import JSONText
import SystemCalls

/// A key can be read as another type, as with `UserDefaults`: numbers, booleans, and strings that spell one are
/// converted into each other where that makes sense. JSON has no type for data, which is stored as a Base64 string.
extension GroupDefaults {
    /// True for `true`, a number other than 0, and a string that begins with `y`, `Y`, `t` or `T`, or with a digit other
    /// than 0, which a sign and zeros may precede. Else false, also for a missing key.
    public func bool(forKey key: String) -> Bool { json(forKey: key)?.asBool ?? false }

    /// A number without its fraction, 1 or 0 for a boolean, the number that a string begins with; else 0, also for a
    /// missing key.
    public func integer(forKey key: String) -> Int { json(forKey: key)?.asInteger ?? 0 }

    /// A number, 1 or 0 for a boolean, the number that a string begins with, unless an `e` follows that begins no
    /// exponent; else 0, also for a missing key.
    public func double(forKey key: String) -> Double { json(forKey: key)?.asDouble ?? 0 }

    /// A string, a number as it was written, "1" or "0" for a boolean; else nil.
    public func string(forKey key: String) -> String? { json(forKey: key)?.asString }

    /// What was set as `Data`, or any string that is Base64; else nil.
    public func data(forKey key: String) -> Data? { object(forKey: key, as: Data.self) }

    /// An array of Bool, Int, Double, String, and arrays and dictionaries of these; else nil. Nulls are left out.
    public func array(forKey key: String) -> [any Sendable]? {
        guard case .array(let elements) = json(forKey: key) else { return nil }
        return elements.compactMap(\.property)
    }

    /// A dictionary of Bool, Int, Double, String, and arrays and dictionaries of these; else nil. Nulls are left out.
    public func dictionary(forKey key: String) -> [String: any Sendable]? {
        guard case .object(let object) = json(forKey: key) else { return nil }
        return object.properties
    }

    /// Any value that can be decoded; nil if the key is missing or holds something else.
    public func object<T: Codable & Sendable>(forKey key: String, as type: T.Type = T.self) -> T? {
        stored(forKey: key)?.decoded(as: type)
    }

    /// All keys of this suite, the added ones and the registered defaults, each with the value found first, converted
    /// like the elements of `array(forKey:)`.
    public func dictionaryRepresentation() -> [String: any Sendable] {
        var found: [String: any Sendable] = [:]
        let suites = suites.reversed()
        for suite in suites {
            for (key, stored) in RegisteredDefaults.shared.values(for: suite.container) {
                found[key.text] = stored.json?.property
            }
        }
        for suite in suites {
            for (key, stored) in suite.all() { found[key] = stored.json?.property }
        }
        return found
    }

    private func json(forKey key: String) -> JSONValue? { stored(forKey: key)?.json }
}
