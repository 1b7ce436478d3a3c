import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// A value whose directory is on a file system that does not answer.
@Suite(.endsInTime)
struct UnansweringDirectoryTests {
    /// With `isRead`, a thread of the program reads the value from there, and hangs.
    @Test(arguments: [false, true])
    func itsValueIsKnownAndCanBeReleased(isRead: Bool) async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir quick slow; echo 1 > quick/v; echo 2 > slow/v; ln -s quick link; ln -s slow new")
        let container = try GroupContainer(directory: folder.path("link"), access: .readOnly)
        let file = try GroupFile("v", in: container, initialValue: 0)
        let handled = Log<Int>()
        let subscription = file.sink { handled.append($0) }
        try #require(await handled.first { $0 == 1 } != nil)
        try await whileALookHangs(at: folder.path("slow")) { isStuck, _, end in
            let root = try Directory(path: folder.path)
            try root.rename("new", to: "link", in: root, .replace)
            try #require(isStuck.wait(within: end - .now))
            if isRead {
                let isReading = Gate()
                try Thread.spawn(named: "test-read") {
                    isReading.open()
                    let read = Result { () throws(GroupFileError) in try file.read() }
                    #expect(throws: Never.self) { try read.get() }
                }
                isReading.wait(within: end - .now)
            }
            let known = Log<Int>()
            let released = Gate()
            try Thread.spawn(named: "test-release") {
                if file.health == .live { known.append(file.value) }
                subscription.cancel()
                do throws(GroupFileError) {
                    let another = try GroupFile("another", in: container, initialValue: 7)
                    known.append(another.value)
                } catch {}
                released.open()
            }
            #expect(released.wait(within: end - .now) && known.elements == [1, 7])
        }
    }
}
