import SystemCalls
import Testing

@testable import WatchValueCommand

struct FailureTests {
    /// What helps whatever was tried; nothing about a value, which may be none that was to be changed.
    @Test(arguments: [
        (Errno.tooManyOpenFiles, "Too many open files; close descriptors, or raise the limit (ulimit -n)"),
        (.noSpace, "No space left on device; make room on the file system"),
        (.inputOutput, "Input/output error"), (.accessDenied, "Permission denied"),
    ])
    func anErrorSaysWhatHelps(_ error: Errno, _ message: String) {
        #expect(Failure(error, "run cat").message == "cannot run cat: \(message)")
    }
}
