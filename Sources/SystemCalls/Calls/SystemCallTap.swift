import CSystemCalls
import Synchronization

/// What a test does to one call.
package enum SystemCallFault: Sendable {
    /// The call is made as it is.
    case none
    /// The call is not made; it fails with this error.
    case fail(Errno)
    /// The call is made with at most this many bytes.
    case short(Int)
}

/// Lets tests observe system calls, and make the Nth one fail. Costs one relaxed load if no tap is installed.
package enum SystemCallTap {
    /// Called before each system call: with the call, and what it is made on. May end the process, to see what a crash
    /// leaves.
    package typealias Handler = @Sendable (SystemCall, _ detail: String) -> SystemCallFault

    private struct Taps {
        /// By kernel thread id.
        var ofThreads: [Int32: Handler] = [:]
        /// By number: tests run in parallel.
        var ofAll: [Int: Handler] = [:]
    }

    private static let count = Atomic<Int>(0)
    private static let lastNumber = Atomic<Int>(0)
    /// Guarded by its lock; `count` shows without it whether there are any.
    private static let taps = Guarded(Taps())

    @inline(__always)
    static var isInstalled: Bool { count.load(ordering: .relaxed) != 0 }

    static func fault(_ call: SystemCall, _ detail: String) -> SystemCallFault {
        let handlers = taps.withLock { taps in taps.ofThreads[cs_gettid()].map { [$0] } ?? Array(taps.ofAll.values) }
        for handler in handlers {
            let fault = handler(call, detail)
            if case .none = fault { continue }
            return fault
        }
        return .none
    }

    /// Taps the calls that `body` makes on this thread, or those of `everyThread`.
    package static func tapping<Result, Failure: Error>(
        everyThread: Bool = false, _ handler: @escaping Handler, during body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let thread = cs_gettid()
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        taps.withLock { if everyThread { $0.ofAll[number] = handler } else { $0.ofThreads[thread] = handler } }
        count.add(1, ordering: .sequentiallyConsistent)
        defer {
            count.subtract(1, ordering: .sequentiallyConsistent)
            taps.withLock { if everyThread { $0.ofAll[number] = nil } else { $0.ofThreads[thread] = nil } }
        }
        return try body()
    }
}
