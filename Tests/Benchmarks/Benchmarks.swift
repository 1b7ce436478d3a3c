import CFloor
import SystemCalls

/// Measures the library beside a floor in C, in one run, as README.md here describes.
///
/// 1. Without a role, the process is the *bench*: it starts itself again and again, as children with roles, and lets
///    them exchange values. It measures by what they print.
/// 2. Anybody may start `viewer` and `writer`, to run them beside programs in other languages that do the same.
///
/// Without Foundation and its cost: a role is a program with nothing but the library in it. Not async: a role has no
/// thread but its own and the library's.
@main
enum Benchmarks {
    static func main() {
        StandardStream.fillGaps()
        var code: Int32 = 0
        do {
            code = try run(Array(CommandLine.arguments.dropFirst()))
        } catch let misuse as Misuse {
            complain("\(misuse.message); --help tells more")
            code = 64
        } catch {
            complain("\(error)")
            code = 1
        }
        CurrentProcess.exit(code)
    }

    private static func run(_ arguments: [String]) throws -> Int32 {
        var arguments = arguments
        if arguments.first == "child" {
            arguments.removeFirst()
            cf_die_with_parent()
        }
        guard let first = arguments.first, let role = Role(rawValue: first) else {
            return try Bench.main(arguments)
        }
        let operands = Operands(first, Array(arguments.dropFirst()))
        switch role {
        case .viewer: try Viewer.run(operands)
        case .writer: try Writer.run(operands)
        case .updater: try Updater.run(operands)
        case .collection: try Collection.run(operands)
        case .audience: try Audience.run(operands)
        case .floorViewer, .floorWriter, .floorUpdater: return try Floor.run(role, operands)
        }
        return 0
    }

    static func complain(_ text: String) {
        say(text, on: .error, prefix: "benchmarks: ")
    }

    /// One line, with one write(2).
    static func say(_ text: String, on stream: StandardStream = .output, prefix: String = "") {
        do {
            try stream.writeAll(Array("\(prefix)\(text)\n".utf8))
        } catch {
            CurrentProcess.exit(1)  // Nobody listens any more.
        }
    }
}
