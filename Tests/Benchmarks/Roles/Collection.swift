import GroupFiles
import SystemCalls

/// One process with COUNT files of one container, and a sink on each. Prints `opened NANOSECONDS FILE SINK`, the last
/// two in bytes of memory for each file, then `counter received sent` for each change of any of them.
///
///     benchmarks collection DIRECTORY COUNT
enum Collection {
    /// The names of the values in DIRECTORY.
    static func name(_ index: Int) -> String { "value\(index)" }

    static func run(_ operands: Operands) throws {
        let directory = try operands.text(0, "DIRECTORY")
        let count: Int = try operands.number(1, "COUNT", in: 1...1_000_000)
        let container = try GroupContainer(directory: directory, access: .readOnly)
        func open(_ index: Int) throws -> GroupFile<Sample> {
            try GroupFile(
                name(index), in: container, initialValue: Sample(counter: 0, sent: 0, note: "none"), access: .readOnly)
        }
        // The first file brings everything that exists once: threads, the watch, the decoder's code.
        let told = try Countdown(count)
        var files = [try open(0)]
        var subscriptions = [files[0].sink { told.heard($0) }]
        try told.wait(until: count - 1)
        files.reserveCapacity(count)
        subscriptions.reserveCapacity(count)

        let before = try ProcessStatus.own.privateDirty()
        let start = Moment.now
        for index in 1..<max(1, count) { files.append(try open(index)) }
        let opened = Moment.now
        let withFiles = try ProcessStatus.own.privateDirty()
        let restart = Moment.now
        for file in files.dropFirst() { subscriptions.append(file.sink { told.heard($0) }) }
        try told.wait(until: 0)
        let duration = (opened - start) + (Moment.now - restart)
        let withSinks = try ProcessStatus.own.privateDirty()

        let others = max(1, count - 1)
        let nanoseconds = Int64(duration / .nanoseconds(1))
        Benchmarks.say("opened \(nanoseconds) \((withFiles - before) / others) \((withSinks - withFiles) / others)")
        try withExtendedLifetime((files, subscriptions)) { try Viewer.park() }
    }
}

/// Counts first values, and reports those that come later.
private final class Countdown: Sendable {
    private struct State {
        var remaining: Int
        /// How many must remain for `heard` to notify the waiter.
        var awaited = 0
    }

    private let state: Guarded<State>
    private let wakeup: Wakeup

    init(_ count: Int) throws {
        state = Guarded(State(remaining: count))
        wakeup = try Wakeup()
    }

    func heard(_ sample: Sample) {
        if sample.counter > 0 { return Viewer.report(sample) }
        let isAwaited = state.withLock { state in
            state.remaining -= 1
            return state.remaining == state.awaited
        }
        if isAwaited { wakeup.notify() }
    }

    func wait(until count: Int) throws {
        let isThere = state.withLock { state in
            state.awaited = count
            return state.remaining <= count
        }
        if isThere { return }
        var entries = [Poll.Entry(wakeup.descriptor.rawValue, .readable)]
        _ = try Poll.wait(&entries, until: nil)
        wakeup.reset()
    }
}
