import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct RegularFileTests {
    /// Waits until the file's last change is longer ago than the library waits for a writer.
    private func untilAtRest(_ path: String) async throws {
        let isAtRest = try await eventually { try Path.linkStatus(of: path).fingerprint.age ?? 0 > 100_000_000 }
        #expect(isAtRest)
    }

    /// The look found a regular file: what is opened afterwards neither blocks the reader, nor is read.
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
            RegularFile.read(path, limit: 100)
        }
        #expect(found.content == .unreadable(.notRegular(kind)))
    }

    /// A foreign writer makes the file anew, or empties it, after the library has looked at the file and before it
    /// opens it: what the writer has written by then is no value, and the library waits for the writer. Here the writer
    /// ends when the file is opened for the second time.
    @Test(arguments: [true, false], TemporaryDirectory.Place.allCases)
    func G2_aWriterWhoBeginsWhenItIsOpenedIsWaitedFor(removesFirst: Bool, place: TemporaryDirectory.Place) async throws
    {
        var value: [String: Int]?
        let isRead = try await eventually {
            value = try await readWhileItIsWritten(removesFirst, place)
            return value != nil
        }
        #expect(isRead && value == ["a": 22222])
    }

    /// Nil where this process was held up for so long that the writer was rightly taken to be done.
    private func readWhileItIsWritten(
        _ removesFirst: Bool, _ place: TemporaryDirectory.Place
    ) async throws -> [String: Int]? {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let path = folder.path("c/v")
        // A foreign value: the library need not open what this process wrote.
        try folder.write(#"{"a":1}"#, to: "c/v")
        let file = try GroupFile("v", in: container, initialValue: [String: Int]())
        try await untilAtRest(path)
        let writer = Guarded<(descriptor: Int32, begun: Moment)?>(nil)
        return try await blocking {
            defer { if let (descriptor, _) = writer.withLock({ $0 }) { close(descriptor) } }
            do {
                return try SystemCallTap.tapping { call, detail in
                    guard call == .open, detail == path else { return .none }
                    writer.withLock { writer in
                        if let (descriptor, _) = writer {
                            _ = unsafe write(descriptor, "22222}", 6)
                            return
                        }
                        if removesFirst { _ = unsafe unlink(path) }
                        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
                        _ = unsafe write(descriptor, "{\"a\":", 5)
                        writer = (descriptor, .now)
                    }
                    return .none
                } during: { () throws(GroupFileError) in
                    try file.read()
                }
            } catch {
                let begun = writer.withLock { $0?.begun }
                if let begun, Moment.now - begun > .milliseconds(50) { return nil }
                throw error
            }
        }
    }

    /// The directory is exchanged after the file has been looked at, and comes back before the read ends: the other
    /// file's content must not be taken for that of the file that was looked at.
    @Test func G4_whatWasReadOfAnotherDirectoryProvesNothing() async throws {
        let folder = try TemporaryDirectory()
        for name in ["c", "d"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
            try folder.write(name, to: name + "/v")
        }
        let (path, c, d, t) = (folder.path("c/v"), folder.path("c"), folder.path("d"), folder.path("t"))
        try await untilAtRest(path)
        let steps = Guarded(0)
        let found = SystemCallTap.tapping { call, _ in
            switch (call, steps.withLock { $0 }) {
            case (.open, 0):
                _ = unsafe (rename(c, t), rename(d, c))
                steps.withLock { $0 = 1 }
            case (.pread, 1):
                _ = unsafe (rename(c, d), rename(t, c))
                steps.withLock { $0 = 2 }
            default: break
            }
            return .none
        } during: {
            RegularFile.read(path, limit: 100)
        }
        #expect(steps.withLock { $0 } == 2)
        let other = try Path.linkStatus(of: d + "/v").fingerprint
        #expect(found.content == .bytes(Array("d".utf8)) && found.fingerprint == other)
    }

    /// Some file systems do not support reading at an offset.
    @Test func aRegularFileWithoutPlacesIsReadAsAStream() throws {
        let folder = try TemporaryDirectory()
        try folder.write(String(repeating: "long ", count: 5000), to: "v")
        let found = SystemCallTap.failing(.pread, with: .illegalSeek) {
            RegularFile.read(folder.path("v"), limit: 100_000)
        }
        #expect(found.content == .bytes(Array(String(repeating: "long ", count: 5000).utf8)))
    }

    /// A device takes the file's place after the look: what the device yields is no content.
    @Test func G11_aDeviceThatComesWhenItIsOpenedIsNoContent() throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "v")
        let (path, new) = (folder.path("v"), folder.path("n"))
        guard unsafe mknod(new, S_IFCHR | 0o600, 1 << 8 | 5) == 0 else {
            return print("skipped, no device can be made")
        }
        let found = SystemCallTap.tapping { call, _ in
            if call == .open { _ = unsafe (unlink(path), rename(new, path)) }
            return .none
        } during: {
            RegularFile.read(path, limit: 10_000)
        }
        #expect(found.content == .unreadable(.notRegular(.device)))
    }
}
