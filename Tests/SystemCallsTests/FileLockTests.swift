import Dispatch
import SystemCalls
import TestSupport
import Testing

struct FileLockTests {
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func excludesAndTellsItsHolder(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let directory = try Directory(path: folder.path)
        let first = FileLock(try directory.open("lock", [.readWrite, .create], permissions: 0o600))
        let second = FileLock(try directory.open("lock", .readWrite))
        #expect(try first.tryLock())
        #expect(try !second.tryLock())
        let holder = try #require(try LockHolder.find(first.descriptor.status().identity))
        #expect(holder.process == CurrentProcess.identifier)
        #expect(holder.program != nil)
        first.unlock()
        #expect(try second.tryLock())
        second.unlock()
        #expect(try LockHolder.find(first.descriptor.status().identity)?.process == nil)
    }

    @Test func lastsNoLongerThanItsOwner() throws {
        let folder = try TemporaryDirectory()
        let directory = try Directory(path: folder.path)
        func take() throws -> Bool {
            try FileLock(directory.open("lock", [.readWrite, .create], permissions: 0o600)).tryLock()
        }
        #expect(try take())
        #expect(try take())
    }
}
