import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// G10 where files have access control lists.
struct AccessControlListTests {
    /// The named user may read, or read and write; the file's group may do nothing.
    private static func list(_ named: UInt16) -> AccessControlList {
        let entries: [(UInt16, UInt16, UInt32)] = [
            (0x01, 6, .max), (0x02, named, 61003), (0x04, 0, .max), (0x10, named, .max), (0x20, 0, .max),
        ]
        var bytes: [UInt8] = [2, 0, 0, 0]
        for (tag, permissions, user) in entries {
            for part in [tag, permissions] { bytes += [UInt8(part & 0xFF), UInt8(part >> 8)] }
            bytes += (0..<4).map { UInt8(user >> (8 * $0) & 0xFF) }
        }
        return AccessControlList(bytes: bytes)
    }

    /// False if the file system has no access control lists.
    private static func set(
        _ list: AccessControlList, _ kind: AccessControlList.Kind, of path: String, _ flags: OpenFlags = .readOnly
    ) throws(Errno) -> Bool {
        let file = try FileDescriptor.open(path, flags)
        do throws(Errno) {
            try file.setAccessControlList(list, kind)
            return true
        } catch .notSupported {
            print("LEFT OUT: there are no access control lists at \(path)")
            return false
        }
    }

    /// In a file with a list, the group bits are not the permissions of its group.
    @Test(arguments: TemporaryDirectory.Place.allCases, [UInt16(4), 6])
    func G10_aListIsKept(place: TemporaryDirectory.Place, named: UInt16) async throws {
        let folder = try TemporaryDirectory(on: place)
        let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 0)
        let path = folder.path("c/v")
        guard try Self.set(Self.list(named), .own, of: path) else { return }
        let list = try AccessControlList(of: path)
        #expect(list != nil)
        for round in 1...3 {
            try await file.write(round)
            #expect(try AccessControlList(of: path) == list)
            #expect(try Path.status(of: path).permissions == 0o600 | UInt32(named) << 3)
        }
        try await file.update { $0 += 1 }
        #expect(try AccessControlList(of: path) == list)
    }

    /// If the list cannot be kept, or cannot be looked at, nobody gets what only the named user had, and the value is
    /// written all the same.
    @Test(arguments: [
        (SystemCall.fsetxattr, Errno.notPermitted), (.fsetxattr, .invalid), (.fsetxattr, .noSystemCall),
        (.lgetxattr, .notPermitted), (.lgetxattr, .noEntry),
    ])
    func G10_aListThatCannotBeKeptGivesNobodyMore(refused: SystemCall, error: Errno) async throws {
        let folder = try TemporaryDirectory()
        let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 0)
        let path = folder.path("c/v")
        guard try Self.set(Self.list(6), .own, of: path) else { return }
        try await blocking {
            try SystemCallTap.tapping { call, _ in
                call == refused ? .fail(error) : .none
            } during: {
                try file.write(1)
            }
        }
        #expect(try AccessControlList(of: path) == nil)
        #expect(try Path.status(of: path).permissions == 0o600)
    }

    /// Nor does anybody get more from the list that the directory gives to new files.
    @Test func G10_whatADirectoryGivesIsNotAdded() async throws {
        let folder = try TemporaryDirectory()
        let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 0)
        let path = folder.path("c/v")
        let control = folder.path("c/.groupfile")
        guard try Self.set(Self.list(6), .given, of: control, [.readOnly, .directory]) else { return }
        #expect(unsafe chmod(path, 0o640) == 0)
        // Once nothing is open, the directory is not known from before.
        #expect(try await eventually { try folder.openDescriptors == 0 })
        try await file.write(1)
        #expect(try AccessControlList(of: path) == nil)
        #expect(try Path.status(of: path).permissions == 0o640)
    }
}
