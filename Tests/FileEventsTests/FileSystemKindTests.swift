import TestSupport
import Testing

@testable import FileEvents

struct FileSystemKindTests {
    /// The numbers in linux/magic.h, and those of file systems that have drivers of their own.
    @Test(arguments: [
        (0x6969, "nfs"), (0x5346_414F, "afs"), (0x6B41_4653, "afs"), (0x6573_5546, "fuse"), (0x1983_0326, "beegfs"),
        (0x2003_0528, "orangefs"), (0xBACB_ACBC, "vmhgfs"), (0xEF53, nil), (0x0102_1994, nil),
    ])
    func whereOthersMakeChangesTheKernelDoesNotTell(type: Int64, name: String?) {
        #expect(FileSystemKind.withoutNotifications(type: type) == name)
    }

    @Test func directoriesAreAskedForTheirOwn() throws {
        #expect(try FileSystemKind.withoutNotifications("/proc") == "proc")
        let folder = try TemporaryDirectory(on: .memory)
        #expect(try FileSystemKind.withoutNotifications(folder.path) == nil)
    }
}
