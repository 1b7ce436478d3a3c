import SystemCalls

/// `list --live`: a group's values in a table that keeps itself up to date.
///
/// 1. The container's names, and each value, are *watched*; a change *wakes* the main thread.
/// 2. For each frame ``LiveValues`` *looks* at what there is, and the main thread *draws* that, no more often than eyes
///    can follow.
/// 3. Without a change it *draws* again only when the text of an age changes.
struct LiveList {
    private static let shortestFrame = Duration.milliseconds(30)

    private let container: String
    private let loop: MainLoop
    private let style: Style
    private let values: LiveValues
    private var screen: Screen

    init(_ container: String, _ arguments: Arguments) throws(Failure) {
        self.container = container
        loop = try MainLoop(drawsScreen: StandardStream.output.isScreen)
        style = Style(arguments)
        values = LiveValues(in: container, loop)
        screen = Screen(loop)
    }

    func run() throws(Failure) {
        defer { values.cancel() }
        var list = self
        let result = Result { () throws(Failure) in try list.untilTheEnd() }
        let ending = Result { () throws(Failure) in try list.screen.giveBack() }
        // The reason for ending takes precedence over later errors: a terminal that is gone takes no more output.
        try result.get()
        try ending.get()
    }

    private mutating func untilTheEnd() throws(Failure) {
        while true {
            let drawn = Moment.now
            let next = try draw()
            let soon = drawn + Self.shortestFrame
            var deadline = next.map { drawn + $0 }
            if values.haveChanged { deadline = min(deadline ?? soon, soon) }
            waiting: while true {
                switch try loop.wait(until: deadline) {
                case .ended(let signal): throw .signalled(signal)
                case .outputClosed: return
                case .timedOut: break waiting
                case .signal(.suspend):
                    try screen.giveBack()
                    try Signal.suspendThisProcess()
                    break waiting
                case .woken where !values.haveChanged: break
                case .signal, .woken: deadline = min(deadline ?? soon, soon)
                }
            }
        }
    }

    /// Returns how long it takes until the table looks different though no value has changed; nil if it never does.
    private mutating func draw() throws(Failure) -> Duration? {
        let rows = try Interruptible(loop).look { [values] () throws(Failure) in try values.rows() }
        let table = LiveTable(
            title: "\(container): \(rows.count == 1 ? "1 value" : "\(rows.count) values")", rows: rows)
        let size = screen.size
        try screen.draw(table.lines(size, style))
        return size == nil ? nil : table.nextChange(size)
    }
}
