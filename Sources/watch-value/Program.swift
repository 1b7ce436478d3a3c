import JSONText
import SystemCalls

/// COMMAND: another program that is run with a value on its standard input.
struct Program: Sendable {
    /// Byte for byte.
    let words: [[UInt8]]

    /// The last component of what was typed, for errors.
    var name: String {
        let path = words.first.map { String(decoding: $0, as: UTF8.self) }
        return path?.split(separator: "/").last.map(String.init) ?? ""
    }

    /// Starts it: compact JSON and a newline on its standard input, or nothing.
    func start(
        _ value: JSONValue?, output: Int32? = nil, environment: [(String, String)], leadsGroup: Bool,
        about subject: String
    ) throws(Failure) -> ChildProcess {
        let input = value.map { JSONPrinter().bytes(of: $0) + [UInt8(ascii: "\n")] } ?? []
        do throws(Errno) {
            return try ChildProcess.spawn(
                words, input: try FileDescriptor.holding(input), output: output, environment: environment,
                leadsGroup: leadsGroup)
        } catch .noEntry {
            throw Failure(.commandNotFound, "there is no command \(name)", about: subject)
        } catch .accessDenied {
            throw Failure(.cannotExecute, "cannot execute \(name): \(Errno.accessDenied)", about: subject)
        } catch {
            throw Failure(error, "run \(name)", about: subject)
        }
    }
}

extension ChildProcess.Ending {
    /// As a shell counts: its own code, or 128+n.
    var code: Int32 {
        switch self {
        case .exited(let code): code
        case .signalled(let signal): 128 + signal.rawValue
        }
    }

    var isSuccess: Bool { self == .exited(0) }

    /// Completes "jq …".
    var sentence: String {
        switch self {
        case .exited(let code): "exited with \(code)"
        case .signalled(let signal): "was ended by signal \(signal.rawValue)"
        }
    }
}
