import ExampleSupport

/// What the command line asks for.
struct Options {
    static let usage = """
        usage: broadcaster [--title TITLE] [--for SECONDS] [--fail MESSAGE] [--until-end-of-input]

        Goes on air until Ctrl-C, SIGTERM, or SECONDS have passed; with --fail it then ends with that error.
        """

    private(set) var title = "Evening news"
    /// How long until it ends by itself; nil if it does not.
    private(set) var duration: Duration?
    private(set) var failure: String?
    private(set) var endsWithInput = false

    init(_ arguments: inout Arguments) throws(Failure) {
        while let option = arguments.next() {
            switch option {
            case "--title": title = try arguments.value(of: option)
            case "--for": duration = .seconds(try arguments.number(of: option, in: 0.0...1_000_000))
            case "--fail": failure = try arguments.value(of: option)
            case "--until-end-of-input": endsWithInput = true
            default: throw .usage("there is no option \(option)\n\(Self.usage)")
            }
        }
        if failure != nil, duration == nil { duration = .seconds(1) }
    }
}
