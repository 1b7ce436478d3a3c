import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Who is named where a lock was not to be had in time.
struct LockHolderTests {
    /// Looking for who comes next takes a look at each process.
    @Test func theNextOneIsLookedForOnlyWhereNobodyHoldsIt() throws {
        let folder = try TemporaryDirectory()
        try folder.write("", to: "l")
        let held = FileLock(try FileDescriptor.open(folder.path("l"), .readWrite))
        #expect(try held.tryLock())
        defer { held.unlock() }
        let holder = try #require(held.holder())
        var looks = 0
        func next() -> LockHolder? {
            looks += 1
            return nil
        }
        let named = GroupFileError.lockTimedOut("v", after: nil, holder: holder, next: next())
        #expect(looks == 0 && named.message.contains("\(holder), which is this process, holds it"))
        let unnamed = GroupFileError.lockTimedOut("v", after: nil, holder: nil, next: next())
        #expect(looks == 1 && unnamed.message.contains("another program holds it"))
    }
}
