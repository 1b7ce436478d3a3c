import Dispatch
import Foundation

/// Ctrl-C, SIGTERM and a closed terminal, waited for instead of dying of them.
public final class StopSignals {
    private let signals: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    /// Until this has returned they end the program, as they do anywhere: make it before there is anything to lose.
    public nonisolated(nonsending) init() async {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        sources = [SIGINT, SIGTERM, SIGHUP].map { DispatchSource.makeSignalSource(signal: $0) }
        for source in sources {
            source.setEventHandler { continuation.yield() }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.activate()
            }
        }
    }

    /// Suspends until one comes; returns at once where it has come already, or the task is cancelled.
    public nonisolated(nonsending) func come() async {
        for await _ in signals { return }
    }

    /// Runs `work`, and cancels it when one comes: then true, once `work` has ended.
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
                // So it was told.
            }
            return hasCome
        }
    }
}
