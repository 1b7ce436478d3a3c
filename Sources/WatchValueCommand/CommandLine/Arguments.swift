/// A command line that was parsed.
struct Arguments {
    let command: Command
    /// Whether the command was typed; if not, `watch` is meant.
    var isNamed = true
    var operands: [String] = []
    /// COMMAND and its arguments, from after `--`. They are for another program, so they may be any bytes.
    var program: [[UInt8]] = []
    private(set) var values: [Option: String] = [:]

    init(_ command: Command) {
        self.command = command
    }

    /// Whether the flag was given.
    func has(_ option: Option) -> Bool { values[option] != nil }

    /// The value of an option that takes one; the last one if it was given several times.
    subscript(_ option: Option) -> String? { values[option] }

    mutating func set(_ option: Option, _ value: String) {
        values[option] = value
    }
}
