import Dispatch
import Observables
import TestSupport

/// Runs the body on this number of threads at once, and waits for all of them. False if the deadline came first.
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
    return group.wait(timeout: .now() + Duration.testDeadline.dispatchInterval) == .success
}

/// An executor with one thread.
final class SerialExecutor: JobExecutor {
    let queue = DispatchQueue(label: "test.executor")

    func execute(_ job: @escaping @Sendable () -> Void) {
        queue.async(execute: job)
    }
}

/// Reports its release.
final class Token: Sendable, Equatable {
    private let onRelease: @Sendable () -> Void

    init(_ onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = onRelease
    }

    deinit { onRelease() }

    func touch() {}

    static func == (left: Token, right: Token) -> Bool { left === right }
}
