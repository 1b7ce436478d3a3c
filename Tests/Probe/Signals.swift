import Dispatch
import Glibc
import GroupFiles

/// What a program sees of the signals that its handlers cause.
extension Probe {
    /// DIR crash|pipe: a handler, on a thread of the library, uses an invalid address, or writes to a pipe that nobody
    /// reads. Exits with 42 if the program's own signal handler is called for it.
    static func cause(_ arguments: [String]) throws {
        let file = try open(arguments[0], "v")
        let isCrash = arguments[1] == "crash"
        _ = signal(isCrash ? SIGSEGV : SIGPIPE) { _ in _exit(42) }
        var ends: [Int32] = [-1, -1]
        unsafe pipe(&ends)
        close(ends[0])
        let writingEnd = ends[1]
        let called = DispatchSemaphore(value: 0)
        let subscription = file.sink { _ in
            if isCrash {
                unsafe UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
            } else {
                _ = unsafe Glibc.write(writingEnd, "\n", 1)
            }
            called.signal()
        }
        expect("called", called, within: 20)
        subscription.cancel()
    }
}
