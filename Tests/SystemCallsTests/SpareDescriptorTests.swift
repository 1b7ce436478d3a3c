import SystemCalls
import TestSupport
import Testing

struct SpareDescriptorTests {
    private func open(by call: SystemCall, _ folder: Directory) throws(Errno) {
        switch call {
        case .open: _ = try Directory(path: "/")
        case .openat: _ = try folder.names()
        case .inotify_init1: _ = try Inotify()
        case .timerfd_create: _ = try Timer()
        default: _ = try Wakeup()
        }
    }

    /// If no descriptor is left, cached ones are closed, and the call is repeated once.
    @Test(
        arguments: [SystemCall.open, .openat, .inotify_init1, .timerfd_create, .eventfd],
        [Errno.tooManyOpenFiles, .fileTableFull, .noMemory])
    func descriptorsAreAskedForTwice(by call: SystemCall, error: Errno) throws {
        let temporary = try TemporaryDirectory()
        let folder = try Directory(path: temporary.path)
        for failures in 1...2 {
            let calls = Guarded(0)
            var result: Errno?
            SystemCallTap.tapping { made, _ in
                guard made == call else { return .none }
                return calls.increment() <= failures ? .fail(error) : .none
            } during: {
                do throws(Errno) { try open(by: call, folder) } catch { result = error }
            }
            let isForWantOfOne = error != .noMemory
            #expect(calls.withLock { $0 } == (isForWantOfOne ? 2 : 1))
            #expect(result == (isForWantOfOne && failures == 1 ? nil : error))
        }
    }
}
