import GroupFiles

/// The settings of the first version of a program.
struct FirstSettings: Codable, Sendable {
    var theme = "light"
    var count = 0
    var window = Window()
    var note: String?

    struct Window: Codable, Sendable {
        var width = 0
    }
}

/// The settings of the second version, in the same file.
struct SecondSettings: Codable, Sendable {
    var theme = "light"
    var count = 0
    var window = Window()
    var note: String?
    var total = 0
    var history: [String: Int] = ["start": 1]

    struct Window: Codable, Sendable {
        var width = 0
        var height = 0
    }
}

extension Probe {
    /// DIR NAME TIMES: counts as the first version does.
    static func first(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0])
        let file = try GroupFile(arguments[1], in: container, initialValue: FirstSettings(), durability: .relaxed)
        for round in 1...number(arguments[2]) {
            try file.update { value in
                value.count += 1
                value.window.width += 1
                value.note = round.isMultiple(of: 2) ? nil : "n"
            }
            say("first \(round)")
        }
    }

    /// DIR NAME TIMES: counts as the second version does.
    static func second(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0])
        let file = try GroupFile(arguments[1], in: container, initialValue: SecondSettings(), durability: .relaxed)
        for round in 1...number(arguments[2]) {
            try file.update { value in
                value.total += 1
                value.window.height += 1
                value.history["r\(round % 3)"] = round
                value.history["r\((round + 1) % 3)"] = nil
            }
            say("second \(round)")
        }
    }

    /// DIR NAME TIMES: writes blindly, as the first version does.
    static func firstBlindly(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0])
        let file = try GroupFile(arguments[1], in: container, initialValue: FirstSettings(), durability: .relaxed)
        for round in 1...number(arguments[2]) {
            try file.write(FirstSettings(theme: "dark", count: round, window: .init(width: round)))
            say("first \(round)")
        }
    }

    /// DIR NAME: prints the second version's fields, whenever they change.
    static func secondWatching(_ arguments: [String]) throws {
        let container = try GroupContainer(directory: arguments[0], access: .readOnly)
        let file = try GroupFile(arguments[1], in: container, initialValue: SecondSettings(), access: .readOnly)
        let subscription = file.sink { say("total \($0.total) height \($0.window.height) count \($0.count)") }
        withExtendedLifetime(subscription) { waitForever() }
    }
}
