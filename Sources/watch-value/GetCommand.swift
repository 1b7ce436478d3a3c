import GroupFiles
import JSONText

/// `get`: the value, once.
enum GetCommand {
    static func run(_ arguments: Arguments) throws(Failure) {
        let part = try arguments.part()
        let location = try Location(arguments.operands[0], arguments)
        let file = try location.openForReading(notifies: false)
        let document: JSONDocument
        do throws(GroupFileError) {
            document = try file.read()
        } catch {
            throw Failure(error, about: location.name)
        }
        guard let whole = document.value else {
            let hint = Hint.text(for: location, arguments).map { "; \($0)" } ?? ""
            throw Failure(
                .noSuchValue, "there is no such value\(hint); it would be \(location.path)", about: location.name)
        }
        guard let value = part.map({ whole[$0] }) ?? whole else {
            let path = part?.description ?? "."
            throw Failure(.noSuchValue, "it has no part \(path)", about: location.name)
        }
        try Output.write(Rendering(arguments).line(value))
    }
}
