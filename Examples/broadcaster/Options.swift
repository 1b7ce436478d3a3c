/// What the command line asks for.
struct Options {
    struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        usage: broadcaster [--title TITLE] [--for SECONDS] [--fail MESSAGE]

        Goes on air until Ctrl-C, SIGTERM, or SECONDS have passed; with --fail it ends with that error then.
        """

    var title = "Evening news"
    /// When to end by itself.
    var end: ContinuousClock.Instant?
    var failure: String?
    var wantsHelp = false

    init(_ arguments: some Sequence<String>) throws(Wrong) {
        var arguments = arguments.makeIterator()
        while let option = arguments.next() {
            if option == "--help" || option == "-h" {
                wantsHelp = true
                continue
            }
            guard ["--title", "--for", "--fail"].contains(option) else {
                throw Wrong(description: "there is no option \(option)\n\(Self.usage)")
            }
            guard let value = arguments.next() else { throw Wrong(description: "\(option) wants a value") }
            switch option {
            case "--title": title = value
            case "--fail": failure = value
            default:
                guard let number = Double(value), number >= 0, number <= 1_000_000 else {
                    throw Wrong(description: "--for wants a number of seconds, not \"\(value)\"")
                }
                end = .now + .seconds(number)
            }
        }
        if failure != nil, end == nil { end = .now + .seconds(1) }
    }
}
