import Foundation
import TestSupport
import Testing

@testable import GroupFiles

/// A path's file is replaced by a link, and the other way round, atomically: there is a value at each moment.
@Suite struct ReplacedByLinkTests {
    /// The link is found by a read, some time before anybody follows the path anew.
    @Test func G2_aLinkThatIsFoundIsFollowed() async throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: folder.path("real"), withIntermediateDirectories: false)
        try folder.write("1\n", to: "v")
        try folder.write("2\n", to: "real/v")
        let file = try GroupFile(path: folder.path("v"), initialValue: 0, codec: .json, usesNotifications: false)
        let failures = Log<GroupFileError>()
        let watching = Task {
            for await failure in file.failures { failures.append(failure) }
        }
        #expect(unsafe symlink("real/v", folder.path("new")) == 0)
        #expect(unsafe rename(folder.path("new"), folder.path("v")) == 0)
        file.attachedCore.refresh()
        #expect(await eventually { file.value == 2 })
        #expect(file.status == .current)
        #expect(failures.elements == [])
        watching.cancel()
    }

    @Test func G2_aFileThatIsReplacedByALinkIsNoFailure() async throws {
        let folder = try TemporaryDirectory(on: .disk)
        try FileManager.default.createDirectory(atPath: folder.path("real"), withIntermediateDirectories: false)
        for name in ["real/v", "v"] { try folder.write("1\n", to: name) }
        let file = try GroupFile(path: folder.path("v"), initialValue: 0, codec: .json)
        let (told, failures) = (Log<Int>(), Log<GroupFileError>())
        let subscription = file.sink { told.append($0) }
        let watching = Task {
            for await failure in file.failures { failures.append(failure) }
        }
        try await blocking {
            for number in 2..<1500 {
                if number % 2 == 0 {
                    try folder.write("\(number)\n", to: "real/v")
                    #expect(unsafe symlink("real/v", folder.path("new")) == 0)
                } else {
                    try folder.write("\(number)\n", to: "new")
                }
                #expect(unsafe rename(folder.path("new"), folder.path("v")) == 0)
                usleep(useconds_t.random(in: 0..<2000))
            }
            #expect(told.block { $0.last == 1499 })
        }
        #expect(file.status == .current)
        watching.cancel()
        subscription.cancel()
        #expect(failures.elements == [])
    }
}
