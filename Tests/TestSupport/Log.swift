import Dispatch
import SystemCalls

/// What has been told so far, and a way to wait until that is enough: for a printed line, an exit, a handler's call.
///
/// Waiting suspends, so it takes no thread from other tests. A time limit is a deadline after which a test has failed,
/// never a time after which something is hoped to have happened.
package final class Log<Element: Sendable>: Sendable {
    private struct Contents {
        var elements: [Element] = []
        var isFinished = false
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastListener = 0
    }

    /// Guards itself; nothing is called while it is held.
    private let contents = Guarded(Contents())

    package init() {}

    package var elements: [Element] { contents.withLock(\.elements) }
    package var isFinished: Bool { contents.withLock(\.isFinished) }

    package func append(_ element: Element) {
        change { $0.elements.append(element) }
    }

    /// Nothing more will come: who waits for it need not wait for the deadline.
    package func finish() {
        change { $0.isFinished = true }
    }

    private func change(_ body: (inout Contents) -> Void) {
        let listeners = contents.withLock { contents in
            body(&contents)
            return Array(contents.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    /// What `find` makes of all elements so far, as soon as that is not nil. Nil where the deadline came first, nothing
    /// more will come, or the task was cancelled.
    package func wait<Found: Sendable>(
        within limit: Duration = .testDeadline, until find: ([Element]) -> Found?
    ) async -> Found? {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listener = contents.withLock { contents in
            contents.lastListener += 1
            contents.listeners[contents.lastListener] = continuation
            return contents.lastListener
        }
        defer { contents.withLock { $0.listeners[listener] = nil } }
        let alarm = DispatchWorkItem { continuation.finish() }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.dispatchInterval, execute: alarm)
        defer { alarm.cancel() }

        continuation.yield()
        for await _ in stream {
            let (elements, isFinished) = contents.withLock { ($0.elements, $0.isFinished) }
            if let found = find(elements) { return found }
            if isFinished { return nil }
        }
        return nil
    }

    /// Whether `isEnough` holds of all elements so far, now or as soon as it does.
    package func reach(
        within limit: Duration = .testDeadline, _ isEnough: ([Element]) -> Bool
    ) async -> Bool {
        await wait(within: limit) { isEnough($0) ? true : nil } ?? false
    }

    /// The first element for which `predicate` holds, now or as soon as it comes.
    package func first(
        within limit: Duration = .testDeadline, where predicate: (Element) -> Bool
    ) async -> Element? {
        await wait(within: limit) { $0.first(where: predicate) }
    }
}
