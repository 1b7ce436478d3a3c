import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct ControlDirectoryTests {
    /// Another process has just made the directory, and is about to open it to its group, or to its user: a caller that
    /// could not enter tries again. The second refusal is final.
    @Test(arguments: [Sharing.group, .owner], [1, 2])
    func aRefusalIsNotTheLastWord(sharing: Sharing, refusals: Int) async throws {
        try await blocking {
            let folder = try TemporaryDirectory()
            let directory = try Directory(path: folder.path)
            let attempts = Guarded(0)
            let error = SystemCallTap.tapping { call, detail in
                guard call == .openat, detail == ControlDirectory.name else { return .none }
                // Each attempt is followed by one to enter the directory without listing it.
                return attempts.increment() <= 2 * refusals ? .fail(.accessDenied) : .none
            } during: { () -> Errno? in
                do throws(Errno) {
                    _ = try ControlDirectory.open(in: directory, sharing: sharing)
                    return nil
                } catch {
                    return error
                }
            }
            #expect(error == (refusals == 1 ? nil : .accessDenied))
        }
    }

    /// Another user is about to give the group its permission bits: a caller waits for them for a moment. Everybody can
    /// work without the set-group-ID bit, so nobody waits for that.
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
                try ControlDirectory.widen(control, for: .group, in: control)
            }
            let count = attempts.withLock { $0 }
            #expect(isWaitedFor ? count > 1 : count <= 1)
        }
    }
    /// On a file system that lets nobody set permissions: where they are not as required, each attempt reports the same
    /// error, and leaves nothing.
    @Test(arguments: [Sharing.owner, .group], [false, true])
    func G10_wherePermissionsCannotBeSetEachTrySaysTheSame(sharing: Sharing, isThere: Bool) throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("c")
        if isThere { #expect(unsafe (mkdir(path, 0o700), chmod(path, sharing.directoryPermissions)) == (0, 0)) }
        for round in 1...3 {
            var thrown: GroupFileError?
            SystemCallTap.failing(.fchmod, with: .notPermitted) {
                do throws(GroupFileError) {
                    let container = try GroupContainer(directory: path, sharing: sharing)
                    try GroupFile("v", in: container, initialValue: 0).write(round)
                } catch {
                    thrown = error
                }
            }
            #expect(thrown?.errno == (sharing == .group ? Errno.notPermitted.rawValue : nil))
            #expect(FileManager.default.fileExists(atPath: path) == (isThere || sharing == .owner))
            // With a umask of 002 a directory already has its permissions.
            if FileManager.default.fileExists(atPath: path + "/.groupfile") {
                #expect(try Path.status(of: path + "/.groupfile").permissions == sharing.directoryPermissions)
            } else {
                #expect(sharing == .group)
            }
        }
    }
}
