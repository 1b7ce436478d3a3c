import JSONText
import SystemCalls

/// COMMAND: another program that is run with a value on its standard input.
struct Program: Sendable {
    /// Byte for byte.
    let words: [[UInt8]]

    /// The first word as it was typed, for errors.
    private var path: String { words.first.map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// The last component of `path`.
    var name: String { Path.lastComponent(path) }

    /// Starts it with compact JSON and a newline on its standard input, or with nothing there.
    func start(
        _ value: JSONValue?, output: Int32? = nil, errors: Int32? = nil, environment: [(String, String)],
        leadsGroup: Bool, about subject: String
    ) throws(Failure) -> ChildProcess {
        let input = value.map { JSONDocument.compact($0) + [UInt8(ascii: "\n")] } ?? []
        let file = try Failure.wrapping("run \(name)", about: subject) { () throws(Errno) in
            try FileDescriptor.holding(input)
        }
        do throws(Errno) {
            return try ChildProcess.spawn(
                words, input: file, output: output, errors: errors, environment: environment, leadsGroup: leadsGroup)
        } catch .noEntry {
            // What "$COMMAND" becomes if the variable is not set.
            if path.isEmpty {
                throw Failure(.commandNotFound, "COMMAND is an empty word; name a program", about: subject)
            }
            throw Failure(
                .commandNotFound,
                isThere ? "cannot execute \(path): its interpreter is missing" : "there is no command \(path)",
                about: subject)
        } catch  where error == .wouldBlock || error == .noMemory || error.isWantOfDescriptors {
            throw Failure(error, "run \(name)", about: subject)
        } catch {
            // As in a shell: the program is there, but cannot be run.
            throw Failure(.cannotExecute, "cannot execute \(path): \(error)", about: subject)
        }
    }

    /// Whether a file of that name exists: if so, its interpreter is missing.
    private var isThere: Bool {
        Path.hasSlash(path) ? Path.isRegularFile(path) : words.first.flatMap(SearchPath.place) != nil
    }
}
