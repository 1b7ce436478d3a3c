import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Which process the error names where a lock could not be acquired in time.
struct LockHolderTests {
    /// To find the process that is next in line, the library has to look at every process.
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
