import FileEvents
import SystemCalls

/// Where the main thread waits: for a signal, a deadline, another thread that wakes it, or the reader of the output to
/// go away.
///
/// Signals are blocked, and read from a descriptor like all other events, so that they interrupt nothing. The thread
/// sleeps until something happens, except where the library could not make its threads: then this one keeps trying to.
final class MainLoop: Sendable {
    enum Event {
        case ended(EndingSignal)
        /// A child ended, the window changed, or Ctrl-Z was pressed.
        case signal(Signal)
        case woken
        case timedOut
        case outputClosed
    }

    private struct Postponed {
        var signals: Set<Signal> = []
        var isOutputClosed = false

        mutating func next() -> Event? {
            if let signal = signals.popFirst() { return .signal(signal) }
            return exchange(&isOutputClosed, with: false) ? .outputClosed : nil
        }
    }

    private let signals: SignalReader
    private let wakeup: Wakeup
    /// Whether the output is a pipe or socket whose other end is still there; that it has gone away is reported once.
    private let hasReader: Guarded<Bool>
    /// The moment that had come when `wait` returned a wake-up instead.
    private let overdue = Guarded<Moment?>(nil)
    /// Signalled once all signals were returned that came before it was stored.
    private let barrier = Guarded<Semaphore?>(nil)
    /// Events that came during a wait for something else: `wait` returns them.
    private let postponed = Guarded(Postponed())

    /// - Parameter drawsScreen: whether Ctrl-Z is waited for, too, so that the screen can be restored first.
    init(drawsScreen: Bool = false) throws(Failure) {
        do throws(Errno) {
            let asking = Signal.ending + (drawsScreen ? [.suspend] : [])
            signals = try SignalReader(asking.filter { !$0.isIgnored } + [.child, .windowChange])
            wakeup = try Wakeup()
        } catch {
            throw Failure(error, "wait for signals")
        }
        do throws(Errno) {
            let kind = try StandardStream.output.kind()
            hasReader = Guarded(kind == .fifo || kind == .socket)
        } catch {
            hasReader = Guarded(false)  // There is no output; the first write reports that.
        }
    }

    /// May be called on any thread: makes the main thread look for what is new.
    func wake() {
        wakeup.notify()
    }

    /// Returns once `wait` has returned all signals that have come by now, and was called again. For one other thread,
    /// while the main one waits.
    func waitForSignals() {
        let passed = Semaphore()
        barrier.withLock { $0 = passed }
        wakeup.notify()
        passed.wait()
    }

    /// How long to wait before trying again to make the library's threads.
    private static let retry = Duration.seconds(1)

    /// If a wake-up is pending when the moment comes, it is returned first, but only one: where values come faster than
    /// they are handled, the next wake-up is always pending.
    func wait(until moment: Moment?) throws(Failure) -> Event {
        if let event = postponed.withLock({ $0.next() }) { return event }
        var entries = [
            Poll.Entry(signals.descriptor.rawValue, .readable), Poll.Entry(wakeup.descriptor.rawValue, .readable),
        ]
        if hasReader.withLock({ $0 }) { entries.append(Poll.Entry(StandardStream.output.descriptor, .closed)) }
        do throws(Errno) {
            while true {
                let retry = ThreadPool.shared.lacksSupervisor ? Moment.now + Self.retry : nil
                guard try Poll.wait(&entries, until: [retry, moment].compactMap(\.self).min()) else {
                    if let moment, moment <= .now { return .timedOut }
                    ThreadPool.shared.makeMissingSupervisor()
                    continue
                }
                // Taken before signals are looked for, so that those which came earlier are found.
                let passed = barrier.withLock { $0 }
                if let (signal, isFromKernel) = try signals.next() { return Self.event(signal, isFromKernel) }
                if let passed {
                    barrier.withLock { $0 = nil }
                    passed.signal()
                }
                if entries[1].isReady {
                    if isOverdue(moment) { return .timedOut }
                    wakeup.reset()
                    // Somebody may have begun to wait since then, and this was his wake-up.
                    if barrier.withLock({ $0 != nil }) { wakeup.notify() }
                    return .woken
                }
                if entries.count > 2, entries[2].isReady {
                    hasReader.withLock { $0 = false }
                    return .outputClosed
                }
            }
        } catch {
            throw Failure(error, "wait")
        }
    }

    /// Whether the moment has come, and a wake-up has been returned instead already.
    private func isOverdue(_ moment: Moment?) -> Bool {
        guard let moment, moment <= .now else { return false }
        return overdue.withLock { exchange(&$0, with: moment) } == moment
    }

    /// Writes to standard output, and waits for room there until a signal asks the process to end, which is thrown, or
    /// until the moment. Returns false if the moment came first, and some of it was not written.
    @discardableResult
    func write(_ bytes: [UInt8], until moment: Moment? = nil) throws(Failure) -> Bool {
        var start = 0
        while start < bytes.count {
            let event: Event?
            do throws(Errno) {
                event = try writeSome(bytes, from: &start, until: moment)
            } catch {
                try Output.check(error)
                continue
            }
            switch event {
            case .ended(let signal): throw .signalled(signal)
            case .timedOut: return false
            case let event?: postpone(event)
            case nil: break
            }
        }
        return true
    }

    /// Has `wait` return the event again, unless it asks the process to end, or concerns only the caller that was
    /// waiting.
    func postpone(_ event: Event) {
        postponed.withLock { postponed in
            switch event {
            case .signal(let signal): postponed.signals.insert(signal)
            case .outputClosed: postponed.isOutputClosed = true
            case .ended, .woken, .timedOut: break
            }
        }
    }

    /// Returns the event that came before there was room, if one did.
    private func writeSome(
        _ bytes: [UInt8], from start: inout Int, until moment: Moment?
    ) throws(Errno) -> Event? {
        var entries = [
            Poll.Entry(StandardStream.output.descriptor, .writable),
            Poll.Entry(signals.descriptor.rawValue, .readable),
        ]
        guard try Poll.wait(&entries, until: moment) else { return .timedOut }
        if entries[0].isReady {
            start += try StandardStream.output.writeSome(bytes, from: start)
            return nil
        }
        return try signals.next().map(Self.event)
    }

    private static func event(_ signal: Signal, _ isFromKernel: Bool) -> Event {
        switch signal {
        case .child, .windowChange, .suspend: .signal(signal)
        default: .ended(EndingSignal(signal, isFromKernel: isFromKernel))
        }
    }
}
