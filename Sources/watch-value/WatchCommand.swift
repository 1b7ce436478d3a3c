import GroupFiles
import JSONText
import SystemCalls

/// `watch`: the values now, then each change.
///
/// 1. The values are *looked at*; then the library *offers* what changes.
/// 2. A teller for each value *decides* what is news.
/// 3. News are *printed*, until they are enough, time is up, a signal comes, or nobody reads any more.
struct WatchCommand {
    private let arguments: Arguments
    private let loop: MainLoop
    private let watching: Watching
    private var printer: NewsPrinter
    private let mostTimes: Int?
    private let timeout: Duration?
    private var deadline: Moment?
    private var tellers: [Teller]
    /// How often something was printed that counts: a value may take several lines.
    private var times = 0

    init(_ arguments: Arguments) throws(Failure) {
        self.arguments = arguments
        for option in [Option.onBusy, .exitOnError] where arguments.has(option) {
            throw Failure(.usage, "\(option.flag) wants a COMMAND after --")
        }
        let printer = try NewsPrinter(arguments)
        self.printer = printer
        mostTimes = try arguments.count()
        timeout = try arguments.timeout()
        let part = try arguments.part()
        var locations: [Location] = []
        for name in arguments.operands { locations.append(try Location(name, arguments)) }
        tellers = locations.map { _ in Teller(part: part, tellsAll: printer.printsAll) }
        loop = try MainLoop()
        watching = try Watching(locations, loop)
    }

    func run() throws(Failure) {
        var run = self
        let result = Result { () throws(Failure) in try run.untilTheEnd() }
        // What ends it does not wait for a terminal that was stopped.
        try loop.write(run.printer.ended(), until: .now)
        try result.get()
    }

    private mutating func untilTheEnd() throws(Failure) {
        deadline = timeout.map { Moment.now + $0 }
        for index in tellers.indices {
            let sight = watching.look(at: index)
            try tell(index, sight, isInitial: true)
            if isEnough { return }
            Hint.complain(of: sight, about: watching.locations[index], arguments)
        }
        watching.begin()
        while true {
            switch try loop.wait(until: deadline) {
            case .ended(let signal, _): throw .signalled(signal)
            case .outputClosed: return
            case .timedOut: throw timedOut
            case .signal:
                try write(printer.redrawn())
                continue
            case .woken: break
            }
            for (index, sight) in watching.take() {
                try tell(index, sight, isInitial: false)
                if isEnough { return }
            }
        }
    }

    private var isEnough: Bool { mostTimes.map { times >= $0 } ?? false }

    private var timedOut: Failure {
        let progress = mostTimes.map { " with \(times) of \($0) printed" } ?? ""
        return .timedOut(arguments, progress, about: watching.locations.map(\.name).joined(separator: ", "))
    }

    private func write(_ bytes: [UInt8]) throws(Failure) {
        if try !loop.write(bytes, until: deadline) { throw timedOut }
    }

    private mutating func tell(_ index: Int, _ sight: Sight, isInitial: Bool) throws(Failure) {
        let name = watching.locations[index].name
        for news in tellers[index].news(sight) {
            if let complaint = printer.complaint(news, name: name) {
                // Not into a line that is drawn over and over.
                if StandardStream.error.isTerminal { try write(printer.ended()) }
                Output.complain(complaint)
            }
            if isInitial, arguments.has(.noInitial), !news.isHealth {
                printer.skip(news)
                continue
            }
            let bytes = printer.bytes(news, name: name)
            if bytes.isEmpty { continue }
            try write(bytes)
            if !news.isHealth { times += 1 }
            if isEnough { return }
        }
    }
}

extension News {
    /// Whether it is about how changes come to be known, and not about the value.
    var isHealth: Bool {
        switch self {
        case .polling, .live: true
        case .value, .missing, .invalid: false
        }
    }
}
