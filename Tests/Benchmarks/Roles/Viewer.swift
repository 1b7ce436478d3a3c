import GroupFiles
import SystemCalls

/// Prints `counter received sent` for each value, with one write(2) a line, until it is killed.
///
///     benchmarks viewer TARGET [sink|values]
enum Viewer {
    private enum Kind: String, CaseIterable {
        case sink, values
        /// A sink that prints counter 0 only.
        case quiet
    }

    static func run(_ operands: Operands) throws {
        let target = try operands.target()
        let kind: Kind = try operands.choice(1, "the kind")
        let file = try Sample.file(target, .readOnly)
        switch kind {
        case .sink:
            let subscription = file.sink { report($0) }
            try withExtendedLifetime(subscription) { try park() }
        case .values:
            Task { for await sample in file.values { report(sample) } }
            try park()
        case .quiet:
            let subscription = file.sink { if $0.counter == 0 { report($0) } }
            try withExtendedLifetime(subscription) { try park() }
        }
    }

    static func report(_ sample: Sample) {
        let now = Moment.now.nanoseconds
        Benchmarks.say("\(sample.counter) \(now) \(sample.sent)")
    }

    /// Leaves the main thread waiting for ever.
    static func park() throws {
        var nothing: [Poll.Entry] = []
        _ = try Poll.wait(&nothing, until: nil)
    }
}
