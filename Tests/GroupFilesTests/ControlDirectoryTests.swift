import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct ControlDirectoryTests {
    /// Another user has just made the container, and is about to open it to his group: who could not enter looks again.
    @Test(arguments: [Sharing.group, .owner])
    func aRefusalIsNotTheLastWordInAGroup(sharing: Sharing) async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let directory = try Directory(path: folder.path)
            let attempts = Guarded(0)
            let error = SystemCallTap.tapping { call, detail in
                guard call == .openat, detail == ControlDirectory.name else { return .none }
                // The first attempt, and the one to enter it without listing it.
                return attempts.withLock { attempts in
                    attempts += 1
                    return attempts <= 2 ? .fail(.accessDenied) : .none
                }
            } during: { () -> Errno? in
                do throws(Errno) {
                    _ = try ControlDirectory.open(in: directory, sharing: sharing)
                    return nil
                } catch {
                    return error
                }
            }
            #expect(error == (sharing == .group ? nil : .accessDenied))
        }
    }

    /// Another user is about to give the group its bits: they are waited for, for a moment. Without the bit that hands the
    /// group on, everybody can work.
    @Test(
        .enabled(if: CurrentProcess.effectiveUser == 0, "only root can give directories away"),
        arguments: [(UInt32(0o700), true), (0o770, false), (0o2770, false)])
    func onlyBitsOfTheGroupAreWaitedFor(permissions: UInt32, isWaitedFor: Bool) async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let path = folder.path(".groupfile")
            #expect(unsafe (mkdir(path, 0o700), chmod(path, permissions), chown(path, 65534, 65534)) == (0, 0, 0))
            let control = try Directory(path: path)
            let attempts = Guarded(0)
            try SystemCallTap.tapping { call, _ in
                guard call == .fchmod else { return .none }
                attempts.withLock { $0 += 1 }
                return .fail(.notPermitted)
            } during: { () throws(Errno) in
                try ControlDirectory.widen(control, for: .group)
            }
            let count = attempts.withLock { $0 }
            #expect(isWaitedFor ? count > 1 : count <= 1)
        }
    }
}
