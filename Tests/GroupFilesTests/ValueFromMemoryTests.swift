import Dispatch
import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// `value` and `status` never touch the disk, and never wait for it.
@Suite(.endsInTime)
struct ValueFromMemoryTests {
    /// Not even to say what is in the container's place. This depends on timing: with the defect, each round in which
    /// no job came first looked at the disk.
    @Test func whatIsInTheWayIsNotLookedFor() async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: .disk)
            for round in 0..<50 {
                let path = folder.path("\(round)")
                let file = try GroupFile("v", in: GroupContainer(directory: path), initialValue: 0)
                let calls = Log<String>()
                try FileManager.default.removeItem(atPath: path)
                try Data().write(to: URL(filePath: path))
                let handler: SystemCallTap.Handler = { call, detail in
                    calls.append("\(call) \(detail)")
                    return .none
                }
                SystemCallTap.tapping(handler) {
                    let end = Moment.now + .seconds(5)
                    while .now < end {
                        _ = file.value
                        if case .invalid = file.status { return }
                    }
                }
                #expect(calls.elements == [])
            }
        }
    }

    /// A reader that hangs on a file system that does not answer holds the core's lock.
    @Test func aReaderThatHangsHoldsUpNobodyWhoAsks() async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: .disk)
            let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 1)
            let (core, path) = (file.attachedCore, folder.path("c/v"))
            let (isStuck, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let handler: SystemCallTap.Handler = { call, detail in
                guard call == .fstatat, detail == path else { return .none }
                isStuck.signal()
                mayGoOn.wait()
                mayGoOn.signal()
                return .none
            }
            try SystemCallTap.tapping(everyThread: true, handler) {
                defer { mayGoOn.signal() }
                try SystemCalls.Thread.spawn(named: "test-reader") { core.refresh() }
                isStuck.wait()
                // Offered a moment before: half of a value that somebody is just writing.
                let half = Publication(
                    number: 2, content: .bytes(Array("{".utf8)), isSettled: false, mayBeHalf: false, isOwn: false)
                #expect(file.offers.withLock { $0.take(half, from: core) })
                let known = Log<Int>()
                try SystemCalls.Thread.spawn(named: "test-asks") { known.append(file.value) }
                #expect(known.block(within: .seconds(5)) { $0 == [1] })
            }
        }
    }
}
