import CSystemCalls
import Glibc

/// The library's own threads. They block signals that come from elsewhere: the program's signal handlers run on the
/// program's threads.
package enum Thread {
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Signals that a thread causes itself, for example in a handler of the program: the kernel sends them to that
    /// thread, and the program has to see them there. If they were blocked, a crash in a handler would leave no
    /// backtrace, and a process would go on writing to a pipe that nobody reads.
    private static let synchronous = [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPIPE]

    /// In bytes. A program's own threads may have less (`ulimit -s`), which has to suffice for what the program calls
    /// itself; the library's threads decode whatever anybody has nested.
    private static let leastStack = 2 << 20

    /// Identifies a thread of this process: gettid(2).
    package typealias ID = Int32

    /// The calling thread's.
    package static var id: ID { cs_gettid() }

    /// True on a thread that called ``mark()``.
    package static var isMarked: Bool { cs_is_marked_thread() }

    /// Marks the calling thread for good, as one that looks for work by itself.
    package static func mark() { cs_mark_thread() }

    /// Whether the calling thread is delivering events.
    package static var isDelivering: Bool { cs_is_delivering() }

    /// Calls `body`, which delivers events that this thread has read.
    package static func delivering<Result>(_ body: () -> Result) -> Result {
        cs_set_delivering(true)
        defer { cs_set_delivering(false) }
        return body()
    }

    /// nanosleep(2), whatever signals come.
    package static func sleep(for duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var rest = time
        while unsafe nanosleep(&time, &rest) < 0, Errno.current == .interrupted { time = rest }
    }

    /// False in a seccomp sandbox, which may kill a process for the attempt. A process may enter one at any time.
    package static var maySetSlice: Bool { cs_may_set_slice() }

    /// Sets how long the calling thread may run before others do; nil: the usual time. A woken thread runs at once if
    /// its slice is shorter than that of the running one. Threads and programs that it starts get the usual slice.
    ///
    /// Only a wish: kernels before 6.12 know no slices, and threads with a priority of their own keep theirs.
    package static func setSlice(nanoseconds: Int64?) {
        if maySetSlice { cs_set_slice(nanoseconds ?? 0) }
    }

    /// The slice of a thread of this process, or of another one; nil if the kernel does not report it.
    package static func slice(of thread: Int32) -> Int64? {
        let slice = cs_slice(thread)
        return slice > 0 ? slice : nil
    }

    /// pthread_create(3), detached. `name` (at most 15 bytes) shows in ps and in debuggers.
    package static func spawn(named name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
        var asynchronous = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&asynchronous)
        for signal in Self.synchronous { unsafe sigdelset(&asynchronous, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &asynchronous, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

        // Created detached: glibc's pthread_detach(3) still reads the thread's memory when the thread may already have
        // ended, and been unmapped.
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var stackSize = 0
        unsafe pthread_attr_getstacksize(&attributes, &stackSize)
        if stackSize < Self.leastStack { unsafe pthread_attr_setstacksize(&attributes, Self.leastStack) }
        defer { unsafe pthread_attr_destroy(&attributes) }
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let error = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                unsafe cs_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        if error != 0 {
            unsafe start.release()
            throw Errno(rawValue: error)
        }
    }
}
