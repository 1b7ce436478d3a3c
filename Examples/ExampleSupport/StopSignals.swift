import Dispatch
import Foundation
import Synchronization

/// Ctrl-C, SIGTERM, a closed terminal and a closed pipe, which a program waits for instead of being killed by them.
/// Another of these signals, half a second later or more, ends the program at once, wherever it hangs. A signal that
/// the program was started to ignore, as by nohup, stays ignored.
public final class StopSignals {
    /// Nanoseconds within which signals count as a single request: timeout(1) sends its signal to the program and to
    /// the program's group, a closed terminal sends one signal, and its shell another.
    private static let together: UInt64 = 500_000_000

    private let signals: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    /// Until this has returned, the signals kill the program, as they do by default: call it before there is anything
    /// to lose.
    public nonisolated(nonsending) init() async {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        // Not a dispatch source: libdispatch waits for signals to the process, but SIGPIPE goes to the thread that
        // writes.
        if !Self.isIgnored(SIGPIPE) {
            signal(SIGPIPE) { _ in
                signal(SIGPIPE, SIG_IGN)
                kill(getpid(), SIGTERM)
            }
        }
        let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
        sources = numbers.map { DispatchSource.makeSignalSource(signal: $0) }
        let firstCame = Atomic<UInt64>(0)
        for (number, source) in zip(numbers, sources) {
            source.setEventHandler {
                let now = DispatchTime.now().uptimeNanoseconds
                let (isFirst, first) = firstCame.compareExchange(expected: 0, desired: now, ordering: .relaxed)
                if !isFirst {
                    if now >= first + Self.together { _exit(128 + number) }
                    return
                }
                // What the program says on its way out need not be read.
                signal(SIGPIPE, SIG_IGN)
                continuation.yield()
            }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.activate()
            }
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        unsafe sigaction(number, nil, &action)
        let handler = unsafe action.__sigaction_handler.sa_handler
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Suspends until a signal comes; returns at once if one has come already, or if the task is cancelled.
    public nonisolated(nonsending) func come() async {
        for await _ in signals { return }
    }

    /// Runs `work`, and cancels it if a signal comes; returns true then, once `work` has ended.
    public nonisolated(nonsending) func come(
        during work: @escaping @Sendable () async throws -> Void
    ) async throws -> Bool {
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await work()
                return false
            }
            group.addTask { [signals] in
                for await _ in signals { break }
                return true
            }
            let hasCome = try await group.next() == true
            group.cancelAll()
            do {
                try await group.waitForAll()
            } catch is CancellationError {
                // `work` was cancelled, as intended.
            }
            return hasCome
        }
    }
}
