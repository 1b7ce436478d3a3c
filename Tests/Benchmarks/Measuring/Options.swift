/// The command line of the bench.
struct Options {
    static let help = """
        usage: benchmarks [--quick] [--guarded] [--json] [--only TEXT]… [--watch-value PROGRAM]

          --quick                 shows that each row runs, in seconds; its figures say nothing
          --guarded               the floor makes the library's system calls: what ours takes beyond it is its own code
          --json                  prints JSON instead of a table; its progress goes to standard error
          --only TEXT             only rows with TEXT in their names; more than once for more of them
          --watch-value PROGRAM   measures the `get` of this one, not of the one beside the benchmarks

        Roles, to be run beside programs in other languages (Tests/Benchmarks/README.md):

          benchmarks viewer TARGET [sink|values]
          benchmarks writer TARGET RATE COUNT FIRST [relaxed|consistent|durable]
        """

    private(set) var isQuick = false
    private(set) var floor = FloorKind.plain
    private(set) var wantsJSON = false
    private(set) var wantsHelp = false
    private(set) var watchValue: String?
    private var texts: [String] = []

    init(_ arguments: [String]) throws {
        var words = arguments[...]
        func operand(_ option: String) throws -> String {
            guard let word = words.popFirst(), !word.isEmpty else {
                throw Misuse(message: "\(option) wants a word after it")
            }
            return word
        }
        while let word = words.popFirst() {
            switch word {
            case "--quick": isQuick = true
            case "--guarded": floor = .guarded
            case "--json": wantsJSON = true
            case "--help", "-h": wantsHelp = true
            case "--only": texts.append(try operand(word))
            case "--watch-value": watchValue = try operand(word)
            case _ where word.hasPrefix("-"): throw Misuse(message: "there is no option \(word)")
            default: throw Misuse(message: "there is no role \(word)")
            }
        }
    }

    func wants(_ row: Row) -> Bool { texts.isEmpty || texts.contains { row.name.contains($0) } }
}
