import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct DirectoryFileTests {
    /// It was a file when it was looked at: what is opened then neither blocks the reader, nor is read.
    @Test(arguments: [FileStatus.Kind.fifo, .directory, .symbolicLink])
    func G11_whatComesInAFilesPlaceWhenItIsOpenedIsNotRead(kind: FileStatus.Kind) throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "v")
        try folder.write("2", to: "other")
        let (path, new) = (folder.path("v"), folder.path("n"))
        switch kind {
        case .fifo: #expect(unsafe mkfifo(new, 0o600) == 0)
        case .directory: #expect(unsafe mkdir(new, 0o700) == 0)
        default: #expect(unsafe symlink("other", new) == 0)
        }
        let found = SystemCallTap.tapping { call, _ in
            if call == .open { _ = unsafe (unlink(path), rename(new, path)) }
            return .none
        } during: {
            DirectoryFile.read(path, limit: 100)
        }
        #expect(found.content == .unreadable(.notRegular(kind)))
    }
}
