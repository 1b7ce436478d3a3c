import GroupFiles
import JSONText

/// `get`: the value, once.
enum GetCommand {
    static func run(_ arguments: Arguments) throws(Failure) {
        let part = try arguments.part() ?? JSONPath()
        let location = try Location(arguments.operands[0], arguments)
        var found = location.readOnce()
        if found == nil { found = try settled(location) }
        guard let whole = found else {
            throw .noSuchValue(location, hint: Hint.text(for: location, arguments))
        }
        guard let value = whole[part] else {
            throw Failure(.noSuchValue, "it has no part \(part)", about: location.name)
        }
        try Rendering(arguments).print(value)
    }

    /// The value, after any writer that is at work on it has finished; nil if there is none.
    private static func settled(_ location: Location) throws(Failure) -> JSONValue? {
        let file = try location.openForReading(notifies: true)
        do throws(GroupFileError) {
            return try file.read().value
        } catch {
            throw Failure(error, about: location.name)
        }
    }
}
