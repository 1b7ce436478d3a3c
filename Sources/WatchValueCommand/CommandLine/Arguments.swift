/// A command line that was understood.
struct Arguments {
    var command: Command
    /// Whether the command stands there, or is only meant.
    var isNamed = true
    var operands: [String] = []
    /// What follows `--` where the command runs another one: its own, so any bytes.
    var program: [[UInt8]] = []
    private(set) var values: [Option: String] = [:]

    init(_ command: Command) {
        self.command = command
    }

    /// Whether the flag was given.
    func has(_ option: Option) -> Bool { values[option] != nil }

    /// The value of an option that takes one; of several the last.
    subscript(_ option: Option) -> String? { values[option] }

    mutating func set(_ option: Option, _ value: String) {
        values[option] = value
    }
}
