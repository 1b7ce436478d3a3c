import SystemCalls
import Testing

@testable import WatchValueCommand

struct FailureTests {
    /// What helps whatever was tried; nothing about a value, which may be none that was to be changed.
    @Test(arguments: [
        (Errno.tooManyOpenFiles, "Too many open files; close descriptors, or raise the limit (ulimit -n)"),
        (.noSpace, "No space left on device; make room on the file system (see df and df -i)"),
        // Of a terminal that is gone, say.
        (.inputOutput, "Input/output error"), (.accessDenied, "Permission denied"),
    ])
    func anErrorSaysWhatHelps(_ error: Errno, _ message: String) {
        #expect(Failure(error, "run cat").message == "cannot run cat: \(message)")
    }

    /// Nobody is removing anything there.
    @Test(arguments: ["/proc/none/x", "/proc/4194305/cwd/x"])
    func whereNothingCanBeMadeNothingIsRemoved(_ place: String) async throws {
        try await Script(
            "watch-value set \(place) 1", code: 74,
            error: "cannot make or open the container: No such file or directory"
        ).check()
    }
}
