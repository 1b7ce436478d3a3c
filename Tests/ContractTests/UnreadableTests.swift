import Dispatch
import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// Serialized, because only one test at a time may change what every thread's calls do.
@Suite(.serialized)
struct UnreadableTests {
    enum Shortage: CaseIterable, Sendable {
        case lasting, passing, whileReading
    }

    /// A shortage while a value is opened may pass by itself: either the value is made then, or the error says why it
    /// was not.
    @Test(arguments: TemporaryDirectory.Place.allCases, Shortage.allCases)
    func aValueThatCannotBeMadeForWantOfDescriptorsIsAnError(
        place: TemporaryDirectory.Place, exhaustion: Shortage
    ) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let value = folder.path("c/v")
        let hasFailed = Guarded(false)
        // Looking for a file that is not there takes no descriptor, so here memory is short instead.
        let isReading = exhaustion == .whileReading
        let shortage: Errno = isReading ? .noMemory : .tooManyOpenFiles
        let make = { () throws(GroupFileError) -> GroupFileStatus in
            try SystemCallTap.tapping { call, detail in
                let isLook = call == .fstatat && (detail == value || detail == "v")
                guard isReading ? isLook : call == .open || call == .openat else { return .none }
                let isAgain = hasFailed.withLock { exchange(&$0, with: true) }
                return isAgain && exhaustion == .passing ? .none : .fail(shortage)
            } during: { () throws(GroupFileError) in
                try GroupFile("v", in: container, initialValue: 5).status
            }
        }
        if exhaustion == .passing {
            #expect(try make() == .current)
            #expect(try folder.read("c/v") == "5\n")
        } else {
            let error = #expect(throws: GroupFileError.self) { try make() }
            #expect(error?.errno == shortage.rawValue)
        }
    }

    /// G4: content that could not be read when its change was reported is read once it can be, not only at the next
    /// heartbeat.
    @Test(arguments: [Errno.tooManyOpenFiles, .wouldBlock, .accessDenied])
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
        let failures = Log<String>()
        try SystemCallTap.tapping(everyThread: true) { call, detail in
            guard call == .open, detail == place, isFailing.withLock({ $0 }) else { return .none }
            failures.append(detail)
            return .fail(error)
        } during: {
            try folder.write("1", to: "c/v")
            #expect(invalid.wait(timeout: .now() + .seconds(300)) == .success)
            // The library tries again and again, not only once more.
            let tried = failures.elements.count
            if error != .accessDenied { #expect(failures.block(within: .seconds(20)) { $0.count > tried + 2 }) }
            // A lease is what keeps the file from being opened without waiting.
            if error == .wouldBlock { #expect("\(file.status)".contains("another program holds a lease on it")) }
            isFailing.withLock { $0 = false }
            // Nothing reports that another process has closed a file; it is reported that permission was given back.
            if error == .accessDenied { _ = unsafe chmod(directory, 0o700) }
            #expect(told.wait(timeout: .now() + .seconds(20)) == .success)
        }
    }

    /// A file behind a link that may not be looked at may exist: it is not missing, and nothing says that its directory
    /// is.
    @Test(arguments: [Errno.accessDenied, .nameTooLong])
    func whatMayNotBeLookedAtBehindALinkIsNotMissing(error: Errno) async throws {
        let folder = try TemporaryDirectory()
        let closed = folder.path("closed")
        try Directory(path: folder.path).makeDirectory("closed", permissions: 0o700)
        try folder.write("3", to: "closed/x")
        _ = unsafe symlink("closed/x", folder.path("link"))
        let file = try GroupFile(path: folder.path("link"), initialValue: 0, codec: .json)
        let states = Log<GroupFileStatus>()
        let subscription = file.sinkStates { states.append($0.status) }
        defer { subscription.cancel() }
        #expect(await states.first { $0 == .current } != nil)
        await blocking {
            SystemCallTap.tapping(everyThread: true) { _, detail in
                detail == closed + "/x" ? .fail(error) : .none
            } during: {
                _ = unsafe chmod(closed, 0o755)
                #expect(throws: GroupFileError.self) { try file.read() }
                let refused = #expect(throws: GroupFileError.self) { try file.write(4) }
                #expect(refused?.errno == error.rawValue, "\(String(describing: refused))")
            }
        }
        _ = unsafe chmod(closed, 0o700)
        #expect(
            await states.wait(within: .beforeTheHeartbeat) { states in
                states.count > 2 && states.last == .current ? states.contains(.missing) : nil
            } == false, "\(states.elements)")
        #expect(file.value == 3)
    }

    /// The walk along the path finds whether there is a directory. Nobody would look again at what a later look found
    /// while a directory above could not be entered for a moment.
    @Test func G4_whatIsRefusedForAMomentAfterTheWalkIsMissing() throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"), access: .readOnly)
        let place = folder.path("c/v")
        let file = try SystemCallTap.tapping { call, detail in
            call == .fstatat && detail == place ? .fail(.accessDenied) : .none
        } during: { () throws(GroupFileError) in
            try GroupFile("v", in: container, initialValue: 0, access: .readOnly)
        }
        #expect(file.status == .missing)
    }

    /// The size and the times of such a file stand still, whatever it contains.
    @Test func G14_whatTheKernelMakesUpIsReadAgain() async throws {
        let file = try GroupFile(
            path: "/proc/uptime", initialValue: "", codec: .text, options: GroupFileOptions(access: .readOnly))
        let told = Log<String>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        // For the first two seconds, times prove nothing in any case.
        let seconds = { (text: String) in text.split(separator: " ").first.flatMap { Double($0) } ?? 0 }
        let isLater = await told.reach { all in
            guard let first = all.first, let last = all.last else { return false }
            return seconds(last) > seconds(first) + 4
        }
        #expect(isLater)
        guard case .polling = file.health else {
            Issue.record("it says \(file.health)")
            return
        }
    }

    /// G4: where no descriptor is left, the directory and its values are still there.
    @Test func G4_whereNoDescriptorIsLeftNothingIsMissing() throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        let wasMissing = Guarded(false)
        let told = DispatchSemaphore(value: 0)
        let subscription = file.sinkStates { state in
            if state.status == .missing { wasMissing.withLock { $0 = true } }
            if state.value == 1 { told.signal() }
        }
        defer { subscription.cancel() }
        let directory = folder.path("c")
        try SystemCallTap.tapping(everyThread: true) { call, detail in
            call == .open && detail == directory ? .fail(.tooManyOpenFiles) : .none
        } during: {
            // The library walks the path anew: what could not be entered may be open now.
            _ = unsafe chmod(directory, 0o755)
            try folder.write("1", to: "c/v")
            #expect(told.wait(timeout: .now() + .seconds(300)) == .success)
        }
        #expect(!wasMissing.withLock { $0 })
    }
}
