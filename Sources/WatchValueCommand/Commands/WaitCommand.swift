import GroupFiles
import JSONText
import SystemCalls

/// `wait`: waits until a predicate holds for the value. Bad content is "not yet"; for a missing value only `!=` holds.
struct WaitCommand {
    private let arguments: Arguments
    private let location: Location
    private let goal: JSONPredicate?
    private let failure: JSONPredicate?
    private let timeout: Duration?
    private let loop: MainLoop

    init(_ arguments: Arguments) throws(Failure) {
        self.arguments = arguments
        goal = try Self.predicate(.for, arguments)
        failure = try Self.predicate(.failWhen, arguments)
        if goal == nil, failure == nil {
            throw Failure(.usage, "name what to wait for: --for PREDICATE, such as --for '.state == \"ready\"'")
        }
        timeout = try arguments.timeout()
        location = try Location(arguments.operands[0], arguments)
        loop = try MainLoop()
    }

    private static func predicate(_ option: Option, _ arguments: Arguments) throws(Failure) -> JSONPredicate? {
        guard let text = arguments[option] else { return nil }
        let part = try arguments.part() ?? JSONPath()
        do throws(JSONExpressionError) {
            return try JSONPredicate(parsing: text).on(part)
        } catch {
            throw Failure(
                .usage, "\(error) A predicate is [PATH] [OP JSON], such as .state == \"ready\" or . >= 1.",
                about: Arguments.shown(option, text))
        }
    }

    func run() throws(Failure) {
        var detector = ChangeDetector(part: nil, tellsAll: true)
        let deadline = timeout.map { Moment.now + $0 }
        let watching = try WatchedValues.open([location], loop, arguments, within: timeout)
        for (snapshot, hint) in watching.initial {
            if try isOver(snapshot, &detector) { return }
            Hint.complain(hint, about: location)
        }
        if timeout == .zero { throw goal == nil ? timedOut : Failure(.conditionFalse, unmet, about: location.name) }
        watching.begin()
        while true {
            switch try loop.wait(until: deadline) {
            case .ended(let signal): throw .signalled(signal)
            // Nothing is printed, so it does not matter that the reader has gone away.
            case .signal, .outputClosed: continue
            case .woken: for (_, snapshot) in watching.take() where try isOver(snapshot, &detector) { return }
            case .timedOut: throw timedOut
            }
        }
    }

    private var unmet: String { (goal ?? failure).map { "\($0) does not hold" } ?? "" }

    private var timedOut: Failure { .timedOut(arguments, "; \(unmet)", about: location.name) }

    private func isOver(_ snapshot: Snapshot, _ detector: inout ChangeDetector) throws(Failure) -> Bool {
        for event in detector.events(snapshot) { Output.complain(of: event, about: location.name) }
        if case .invalid = snapshot.status { return false }
        if let failure, failure.holds(snapshot.value) {
            throw Failure(.conditionFalse, "\(failure) holds", about: location.name)
        }
        return goal?.holds(snapshot.value) ?? false
    }
}
