import SystemCalls
import Testing

@testable import WatchValueCommand

struct FailureTests {
    /// The advice must help whatever was attempted. It says nothing about a value, because there may have been none to
    /// change.
    @Test(arguments: [
        (Errno.tooManyOpenFiles, "Too many open files; close descriptors, or raise the limit (ulimit -n)"),
        (.noSpace, "No space left on device; make room on the file system (see df and df -i)"),
        // For example, of a terminal that is gone.
        (.inputOutput, "Input/output error"), (.accessDenied, "Permission denied"),
    ])
    func anErrorSaysWhatHelps(_ error: Errno, _ message: String) {
        #expect(Failure(error, "run cat").message == "cannot run cat: \(message)")
    }

    /// The error does not speak of a removal, because nobody is removing anything there.
    @Test(arguments: ["/proc/none/x", "/proc/4194305/cwd/x"])
    func whereNothingCanBeMadeNothingIsRemoved(_ place: String) async throws {
        try await Script(
            "watch-value set \(place) 1", code: 74,
            error: "cannot make or open the container: No such file or directory"
        ).check()
    }
}
