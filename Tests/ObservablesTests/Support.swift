import Dispatch
import Observables
import SystemCalls
import TestSupport

let deadline = Duration.testDeadline.dispatchInterval

/// What handlers have been told, and a way for a thread to wait until that is enough.
final class Log<Element: Sendable>: Sendable {
    private struct Contents {
        var elements: [Element] = []
        var waiting: [DispatchSemaphore] = []
        var streams: [AsyncStream<Void>.Continuation] = []
    }

    private let contents = Guarded(Contents())

    var elements: [Element] { contents.withLock { $0.elements } }

    func append(_ element: Element) {
        let (waiting, streams) = contents.withLock { contents in
            contents.elements.append(element)
            return (contents.waiting, contents.streams)
        }
        for semaphore in waiting { semaphore.signal() }
        for stream in streams { stream.yield() }
    }

    /// Blocks until `isEnough` holds of what was told so far. False where the deadline came first.
    func wait(until isEnough: ([Element]) -> Bool) -> Bool {
        let semaphore = DispatchSemaphore(value: 0)
        contents.withLock { $0.waiting.append(semaphore) }
        while !isEnough(elements) {
            guard semaphore.wait(timeout: .now() + deadline) == .success else { return false }
        }
        return true
    }

    /// Suspends until `isEnough` holds. False where the task is cancelled first, as a time limit does.
    func reach(_ isEnough: ([Element]) -> Bool) async -> Bool {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        contents.withLock { $0.streams.append(continuation) }
        if isEnough(elements) { return true }
        for await _ in stream where isEnough(elements) { return true }
        return false
    }
}

/// Told once, waited for by any number of threads.
final class Gate: Sendable {
    private let log = Log<Void>()

    var isOpen: Bool { !log.elements.isEmpty }

    func open() { log.append(()) }

    @discardableResult
    func wait() -> Bool { log.wait { !$0.isEmpty } }

    /// Suspends, where what is to open it may need a thread of Swift's pool.
    func opened() async -> Bool { await log.reach { !$0.isEmpty } }
}

/// Runs the body on so many threads at once, and waits for all of them. False where the deadline came first.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> Bool {
    let group = DispatchGroup()
    let start = Gate()
    for index in 0..<count {
        DispatchQueue(label: "test.\(index)").async(group: group) {
            start.wait()
            body(index)
        }
    }
    start.open()
    return group.wait(timeout: .now() + deadline) == .success
}

/// An executor with one thread.
final class SerialExecutor: JobExecutor {
    let queue = DispatchQueue(label: "test.executor")

    func execute(_ job: @escaping @Sendable () -> Void) {
        queue.async(execute: job)
    }
}

/// Tells when it goes.
final class Token: Sendable, Equatable {
    private let onRelease: @Sendable () -> Void

    init(_ onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = onRelease
    }

    deinit { onRelease() }

    func touch() {}

    static func == (left: Token, right: Token) -> Bool { left === right }
}
