import ExampleSupport
import Foundation
import GroupFiles

/// Draws numbers and shares each in two ways: in the group's defaults, and as a text file.
struct App {
    private static let pace = Duration.seconds(1)

    private var group = Shared.group
    private var draws = 1
    private var background: String?

    init(_ arguments: inout Arguments) throws(Failure) {
        while let option = arguments.next() {
            switch option {
            case "--repeat": draws = try arguments.number(of: option, in: 1...1_000_000)
            case "--background": background = try arguments.value(of: option)
            case "--group": group = try arguments.value(of: option)
            default: throw .usage("the app has no option \(option)")
            }
        }
    }

    func run(_ console: Console) async throws {
        // First of all, so that a file that cannot be read changes nothing.
        let picture = try background.map(read)
        let defaults = try GroupDefaults(suiteName: group)
        let shared = try Shared(GroupContainer(identifier: group))
        if let picture { try await shared.background.write(picture) }

        for draw in 1...draws {
            if draw > 1 { try await Task.sleep(for: Self.pace) }
            let luckyNumber = Int.random(in: 1...99)
            try defaults.set(luckyNumber, forKey: Shared.key)
            try await shared.number.write(luckyNumber)
            console.say("\(luckyNumber)")
        }
    }

    private func read(_ path: String) throws(Failure) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Failure("cannot read \(path): \(error.reason)", exitCode: 66)
        }
    }
}
