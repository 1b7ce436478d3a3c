import SystemCalls

/// `watch`: the values now, then each change.
///
/// 1. The main thread *looks* at the values; then the library *offers* their changes.
/// 2. A detector for each value *decides* what is new.
/// 3. Events are *printed* until there are enough, time is up, a signal comes, or nobody reads them any more.
struct WatchCommand {
    private let arguments: Arguments
    private let locations: [Location]
    private let loop: MainLoop
    private var printer: EventPrinter
    private let mostTimes: Int?
    private let timeout: Duration?
    private var deadline: Moment?
    private var detectors: [ChangeDetector]
    /// How many events were printed, except those about health; one may take several lines.
    private var times = 0

    init(_ arguments: Arguments) throws(Failure) {
        self.arguments = arguments
        for option in [Option.onBusy, .exitOnError] where arguments.has(option) {
            throw Failure(.usage, "\(option.flag) needs a COMMAND after --")
        }
        let printer = try EventPrinter(arguments)
        self.printer = printer
        mostTimes = try arguments.count()
        timeout = try arguments.timeout()
        let part = try arguments.part()
        var locations: [Location] = []
        for name in arguments.operands { locations.append(try Location(name, arguments)) }
        self.locations = locations
        detectors = locations.map { _ in ChangeDetector(part: part, tellsAll: printer.printsAll) }
        loop = try MainLoop()
    }

    func run() throws(Failure) {
        var run = self
        let result = Result { () throws(Failure) in try run.untilTheEnd() }
        // The end does not wait for a terminal that is stopped.
        let ending = Result { () throws(Failure) in _ = try loop.write(run.printer.ended(), until: .now) }
        // The reason for ending takes precedence over later errors: a terminal that is gone takes no more output.
        try result.get()
        try ending.get()
    }

    private mutating func untilTheEnd() throws(Failure) {
        deadline = timeout.map { Moment.now + $0 }
        let watching = try WatchedValues.open(locations, loop, arguments, within: timeout)
        for (index, (snapshot, hint)) in watching.initial.enumerated() {
            try tell(index, snapshot, isInitial: true)
            if isEnough { return }
            Hint.complain(hint, about: locations[index])
        }
        watching.begin()
        while true {
            switch try loop.wait(until: deadline) {
            case .ended(let signal): throw .signalled(signal)
            case .outputClosed: return
            case .timedOut: throw timedOut
            case .signal:
                try write(printer.redrawn())
                continue
            case .woken: break
            }
            for (index, snapshot) in watching.take() {
                try tell(index, snapshot, isInitial: false)
                if isEnough { return }
            }
        }
    }

    private var isEnough: Bool { mostTimes.map { times >= $0 } ?? false }

    private var timedOut: Failure {
        let progress = mostTimes.map { " with \(times) of \($0) printed" } ?? ""
        return .timedOut(arguments, progress, about: locations.map(\.name).joined(separator: ", "))
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        if try !loop.write(bytes, until: deadline) { throw timedOut }
    }

    private mutating func tell(_ index: Int, _ snapshot: Snapshot, isInitial: Bool) throws(Failure) {
        let name = locations[index].name
        for event in detectors[index].events(snapshot) {
            if let complaint = printer.complaint(event, name: name) {
                // A complaint must not go into a line that is redrawn.
                if StandardStream.error.isTerminal { try write(printer.ended()) }
                Output.complain(complaint)
            }
            if isInitial, arguments.has(.noInitial), !event.isHealth {
                printer.skip(event)
                continue
            }
            let bytes = printer.bytes(event, name: name)
            if bytes.isEmpty { continue }
            try write(bytes)
            if !event.isHealth { times += 1 }
            if isEnough { return }
        }
    }
}
