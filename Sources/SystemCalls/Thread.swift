import CSystemCalls
import Glibc

/// The library's own threads. All signals are blocked in them: handlers of the program run on the program's threads.
package enum Thread {
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// True on a thread that called ``mark()``.
    package static var isMarked: Bool { cs_is_marked_thread() }

    /// Marks the calling thread for good, as one that looks for work by itself.
    package static func mark() { cs_mark_thread() }

    /// nanosleep(2). May return early.
    package static func rest(nanoseconds: Int64) {
        var time = timespec(tv_sec: 0, tv_nsec: Int(min(nanoseconds, 999_999_999)))
        unsafe nanosleep(&time, nil)
    }

    /// pthread_create(3), detached. `name` (at most 15 bytes) shows in ps and in debuggers.
    package static func spawn(named name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let error = unsafe pthread_create(
            &thread, nil,
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
        pthread_detach(thread)
    }
}
