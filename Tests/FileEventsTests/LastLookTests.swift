import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

struct LastLookTests {
    @Test func whoBeganEarlierDoesNotOverwriteWhatALaterLookFound() {
        var last = LastLook()
        let (first, second) = (last.begin(), last.begin())
        let isSecond = last.accept(second)
        let isFirst = last.accept(first)
        let isThird = last.accept(last.begin())
        #expect([isSecond, isFirst, isThird] == [true, false, true])
    }

    /// The doubt lasts until the file's age proves that it was not changed again within one tick.
    @Test func aYoungFileIsInDoubtOnce() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("1", to: "f")
        let young = try Path.linkStatus(of: folder.path("f"))
        var last = LastLook()
        let found = [last.note(young), last.note(young)]
        #expect(found == [nil, young])
        // On a slow machine the file may already be old.
        let wasOver = last.endDoubt()
        #expect(!wasOver || young.fingerprint.provesContent)
        #expect(await eventually { wasOver || last.endDoubt() })
        let isOverTwice = last.endDoubt()
        #expect(!isOverTwice)
        var another = LastLook()
        _ = another.note(young)
        let isOldInDoubt = another.endDoubt()
        #expect(!isOldInDoubt)
    }

    /// Only one look reports that a file system is gone, and only if the path led there.
    @Test func aDirectoryIsForgottenOnce() throws {
        let folder = try TemporaryDirectory()
        let target = PathTarget(identity: try Path.status(of: folder.path).identity, path: folder.path, leaf: "f")
        let another = try Path.status(of: "/").identity
        var last = LastLook()
        let unknown = last.forgetDirectory(nil)
        _ = last.note(target)
        let (other, its, again) = (
            last.forgetDirectory(another), last.forgetDirectory(target.identity), last.forgetDirectory(nil)
        )
        #expect([unknown, other, its, again] == [false, false, true, false])
    }
}
