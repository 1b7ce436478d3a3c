import CSystemCalls
import Glibc
import Synchronization

/// The calls that this module makes, by the names of their C functions.
package enum SystemCall: String, Sendable, CaseIterable {
    case open, openat, close, read, write, pread, pwrite, fstat, fstatat, statx, fchmod, fchown, fsync, flock, ftruncate
    case mkdirat, unlinkat, linkat, renameat, renameat2, readlinkat, fdopendir, statfs
    case inotify_init1, inotify_add_watch, inotify_rm_watch
    case timerfd_create
    case signalfd, eventfd, poll, memfd_create, pipe2, lseek, posix_spawn, waitpid, waitid, kill, ioctl
}

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

/// Makes a call that is neither interrupted nor short: EINTR is answered here, once for all.
///
/// Calls that a write or an observed change makes pass their paths by `withCString`: to pass the string itself copies it.
@inline(__always)
@discardableResult
func perform(
    _ call: SystemCall, _ detail: @autoclosure () -> String = "", _ body: () -> Int32
) throws(Errno) -> Int32 {
    while true {
        if SystemCallTap.isInstalled, case .fail(let error) = SystemCallTap.fault(call, detail()) {
            if error == .interrupted { continue }
            throw error
        }
        let result = body()
        if result >= 0 { return result }
        let error = Errno.current
        if error != .interrupted { throw error }
    }
}

/// Makes a call that moves bytes: `body` gets how many it may move, and answers how many it did.
@inline(__always)
func perform(
    _ call: SystemCall, bytes count: Int, _ detail: @autoclosure () -> String = "", _ body: (Int) -> Int
) throws(Errno) -> Int {
    while true {
        var count = count
        if SystemCallTap.isInstalled {
            switch SystemCallTap.fault(call, detail()) {
            case .none: break
            case .fail(.interrupted): continue
            case .fail(let error): throw error
            case .short(let most): count = min(count, most)
            }
        }
        let result = body(count)
        if result >= 0 { return result }
        let error = Errno.current
        if error != .interrupted { throw error }
    }
}
