import Dispatch
import SystemCalls

/// What has been reported so far, such as printed lines or a handler's calls, and ways to wait until that is enough.
///
/// Waiting suspends, so it takes no thread from other tests. A time limit is a deadline after which a test has failed,
/// never a time in which something is hoped to happen.
package final class Log<Element: Sendable>: Sendable {
    private struct Contents {
        var elements: [Element] = []
        var isFinished = false
        var listeners: [Int: @Sendable () -> Void] = [:]
        var lastListener = 0
    }

    /// Guarded by its lock, under which nothing is called.
    private let contents = Guarded(Contents())

    package init() {}

    package var elements: [Element] { contents.withLock(\.elements) }
    package var isFinished: Bool { contents.withLock(\.isFinished) }

    package func append(_ element: Element) {
        change { $0.elements.append(element) }
    }

    /// Says that nothing more will come, so that nobody has to wait for the deadline.
    package func finish() {
        change { $0.isFinished = true }
    }

    private func change(_ body: (inout Contents) -> Void) {
        let listeners = contents.withLock { contents in
            body(&contents)
            return Array(contents.listeners.values)
        }
        for listener in listeners { listener() }
    }

    /// Called at each change, until it is removed.
    private func add(_ listener: @escaping @Sendable () -> Void) -> Int {
        contents.withLock { contents in
            contents.lastListener += 1
            contents.listeners[contents.lastListener] = listener
            return contents.lastListener
        }
    }

    private func remove(_ listener: Int) { contents.withLock { $0.listeners[listener] = nil } }

    /// What `find` returns for all elements so far, as soon as that is not nil. Nil if the deadline comes first, if
    /// nothing more will come, or if the task is cancelled.
    package func wait<Found: Sendable>(
        within limit: Duration = .testDeadline, until find: ([Element]) -> Found?
    ) async -> Found? {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listener = add { continuation.yield() }
        defer { remove(listener) }
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

    /// Waits until `isEnough` holds for all elements so far; false if the wait ends before that.
    package func reach(
        within limit: Duration = .testDeadline, _ isEnough: ([Element]) -> Bool
    ) async -> Bool {
        await wait(within: limit) { isEnough($0) ? true : nil } ?? false
    }

    /// The same for a test with a thread of its own, which this blocks.
    package func block(within limit: Duration = .testDeadline, until isEnough: ([Element]) -> Bool) -> Bool {
        let changed = DispatchSemaphore(value: 0)
        let listener = add { changed.signal() }
        defer { remove(listener) }
        let deadline = DispatchTime.now() + limit.dispatchInterval
        while true {
            let (elements, isFinished) = contents.withLock { ($0.elements, $0.isFinished) }
            if isEnough(elements) { return true }
            if isFinished || changed.wait(timeout: deadline) == .timedOut { return false }
        }
    }

    /// The first element for which `predicate` holds, as soon as there is one.
    package func first(
        within limit: Duration = .testDeadline, where predicate: (Element) -> Bool
    ) async -> Element? {
        await wait(within: limit) { $0.first(where: predicate) }
    }
}
