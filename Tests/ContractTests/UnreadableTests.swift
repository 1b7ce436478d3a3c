import Dispatch
import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

struct UnreadableTests {
    /// G4: what could not be read when it was told is read once it can be, and not only at the next heartbeat.
    @Test(.serialized, arguments: [Errno.tooManyOpenFiles, .accessDenied])
    func G4_whatCouldNotBeReadIsReadWhenItCan(error: Errno) throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let isFailing = Guarded(true)
        let invalid = DispatchSemaphore(value: 0)
        let told = DispatchSemaphore(value: 0)
        let subscription = file.sinkStates { state in
            if case .invalid = state.status { invalid.signal() }
            if state.value == 1 { told.signal() }
        }
        defer { subscription.cancel() }
        let (directory, place) = (folder.path("c"), folder.path("c/v"))
        try SystemCallTap.tapping(everyThread: true) { call, detail in
            call == .open && detail == place && isFailing.withLock { $0 } ? .fail(error) : .none
        } during: {
            try folder.write("1", to: "c/v")
            #expect(invalid.wait(timeout: .now() + .seconds(120)) == .success)
            isFailing.withLock { $0 = false }
            // A file that another process closes is told by nobody; permission that is given back is.
            if error == .accessDenied { _ = unsafe chmod(directory, 0o700) }
            #expect(told.wait(timeout: .now() + .seconds(60)) == .success)
        }
    }
}
