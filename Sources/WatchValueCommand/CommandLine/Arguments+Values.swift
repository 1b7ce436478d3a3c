import GroupFiles
import JSONText

extension Arguments {
    /// An option with its value, for errors: as typed, or `""` so that an empty one shows.
    static func shown(_ option: Option, _ value: String) -> String {
        "\(option.flag) \(value.isEmpty ? "\"\"" : value)"
    }

    func timeout() throws(Failure) -> Duration? {
        guard let text = self[.timeout] else { return nil }
        return try TimeSpan.parse(text)
    }

    func part() throws(Failure) -> JSONPath? {
        guard let text = self[.at] else { return nil }
        do throws(JSONExpressionError) {
            return try JSONPath(parsing: text)
        } catch {
            throw Failure(.usage, "\(error)", about: Self.shown(.at, text))
        }
    }

    func count() throws(Failure) -> Int? {
        guard let text = self[.count] else { return nil }
        guard let count = Int(text), count > 0 else {
            throw Failure(.usage, "\"\(text)\" is not a count; write 1 or more", about: "--count")
        }
        return count
    }

    /// Nil if the option was not given. The parser has checked that it is one of the choices.
    func choice<Choice: RawRepresentable<String>>(_ option: Option) -> Choice? {
        self[option].flatMap(Choice.init(rawValue:))
    }

    var durability: Durability { choice(.durability) ?? .consistent }
}
