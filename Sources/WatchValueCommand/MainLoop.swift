import FileEvents
import SystemCalls

/// Where the main thread waits: for a signal, a deadline, another thread that wakes it, or the end of whoever reads our
/// output.
///
/// Signals are blocked and read like all else, so that nothing is interrupted; nothing wakes up while nothing happens, but
/// where the library has no threads: then this one tries for them.
final class MainLoop: Sendable {
    enum Event {
        /// One that asks the process to end; `wholeGroup` where its children in its group got it, too.
        case ended(Signal, wholeGroup: Bool)
        /// A child ended, the window changed, or Ctrl-Z was pressed.
        case signal(Signal)
        case woken
        case timedOut
        case outputClosed
    }

    private let signals: SignalReader
    private let wakeup: Wakeup
    /// Whether the other end of our output can be seen to go away, and has not; told once.
    private let hasReader: Guarded<Bool>

    /// To be made before the library's threads, so that they block the same signals.
    ///
    /// - Parameter drawsScreen: Ctrl-Z is a signal to wait for, so that the screen can be given back first.
    init(drawsScreen: Bool = false) throws(Failure) {
        do throws(Errno) {
            let ending: [Signal] = [.interrupt, .quit, .terminate, .hangup, .alarm, .user1, .user2, .brokenPipe]
            let asking = ending + (drawsScreen ? [.suspend] : [])
            signals = try SignalReader(asking.filter { !$0.isIgnored } + [.child, .windowChange])
            wakeup = try Wakeup()
        } catch {
            throw Failure(error, "wait for signals")
        }
        do throws(Errno) {
            let kind = try StandardStream.output.kind()
            hasReader = Guarded(kind == .fifo || kind == .socket)
        } catch {
            hasReader = Guarded(false)  // There is no output; writing says so.
        }
    }

    /// From any thread: the main one looks what is new.
    func wake() {
        wakeup.notify()
    }

    /// How often it is tried to make the library's threads.
    private static let retry = Duration.seconds(1)

    func wait(until moment: Moment?) throws(Failure) -> Event {
        var entries = [
            Poll.Entry(signals.descriptor.rawValue, .readable), Poll.Entry(wakeup.descriptor.rawValue, .readable),
        ]
        if hasReader.withLock({ $0 }) { entries.append(Poll.Entry(StandardStream.output.descriptor, .closed)) }
        do throws(Errno) {
            while true {
                let retry = ThreadPool.shared.lacksThreads ? Moment.now + Self.retry : nil
                guard try Poll.wait(&entries, until: [retry, moment].compactMap(\.self).min()) else {
                    if let moment, moment <= .now { return .timedOut }
                    ThreadPool.shared.makeMissingThreads()
                    continue
                }
                if let (signal, isFromKernel) = try signals.next() { return Self.event(signal, isFromKernel) }
                if entries[1].isReady {
                    wakeup.reset()
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

    /// Writes to standard output; waits for room there, but not when a signal asks the process to end, nor beyond the
    /// moment: false where that came first, and some of it was not written.
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
            case .ended(let signal, _): throw .signalled(signal)
            case .timedOut: return false
            // For when there is time for it.
            case .signal: wakeup.notify()
            case .woken, .outputClosed, nil: break
            }
        }
        return true
    }

    /// Returns what came before there was room.
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
        default: .ended(signal, wholeGroup: isFromKernel)
        }
    }
}
