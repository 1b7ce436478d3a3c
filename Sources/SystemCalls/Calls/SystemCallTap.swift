import CSystemCalls
import Synchronization

/// What a test makes of one call.
package enum SystemCallFault: Sendable {
    /// The call is made as it is.
    case none
    /// The call is not made; it fails with this error.
    case fail(Errno)
    /// The call is made with at most this many bytes.
    case short(Int)
}

/// Where tests look at system calls, and make the Nth one fail. Costs one relaxed load where none is installed.
package enum SystemCallTap {
    /// Told of each call before it is made: which, and on what. May end the process, to see what a crash leaves.
    package typealias Handler = @Sendable (SystemCall, _ detail: String) -> SystemCallFault

    private static let count = Atomic<Int>(0)
    /// By kernel thread id; 0 stands for every thread.
    private static let handlers = Guarded<[Int32: Handler]>([:])

    @inline(__always)
    static var isInstalled: Bool { count.load(ordering: .relaxed) != 0 }

    static func fault(_ call: SystemCall, _ detail: String) -> SystemCallFault {
        let handler = handlers.withLock { $0[cs_gettid()] ?? $0[0] }
        return handler?(call, detail) ?? .none
    }

    /// Taps the calls that `body` makes on this thread, or those of `everyThread`.
    package static func tapping<Result, Failure: Error>(
        everyThread: Bool = false, _ handler: @escaping Handler, during body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let thread = everyThread ? 0 : cs_gettid()
        handlers.withLock { $0[thread] = handler }
        count.add(1, ordering: .sequentiallyConsistent)
        defer {
            count.subtract(1, ordering: .sequentiallyConsistent)
            handlers.withLock { $0[thread] = nil }
        }
        return try body()
    }
}
