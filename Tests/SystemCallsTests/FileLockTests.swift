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
        #expect(try second.isTaken())
        let holder = try #require(try second.holder())
        #expect(holder.process == CurrentProcess.identifier)
        #expect(holder.program != nil)
        first.unlock()
        #expect(try !second.isTaken())
        #expect(try second.tryLock())
        second.unlock()
        #expect(try first.holder()?.process == nil)
    }

    /// The kernel's list does not fit into a page, and changes while it is read.
    @Test func theHolderIsFoundAmongManyThatComeAndGo() async throws {
        try await blocking {
            let folder = try TemporaryDirectory(on: .memory)
            let directory = try Directory(path: folder.path)
            func lock(_ name: String) throws -> FileLock {
                FileLock(try directory.open(name, [.readWrite, .create], permissions: 0o600))
            }
            let others = try (0..<250).map { try lock("other\($0)") }
            let held = try lock("held")
            #expect(try held.tryLock())
            let isOver = Guarded(false)
            let hasEnded = DispatchSemaphore(value: 0)
            try SystemCalls.Thread.spawn(named: "others") {
                while !isOver.withLock({ $0 }) {
                    for other in others {
                        do throws(Errno) { _ = try other.tryLock() } catch { Issue.record(error) }
                    }
                    for other in others { other.unlock() }
                }
                hasEnded.signal()
            }
            let found = try (0..<300).filter { _ in try held.holder() != nil }.count
            isOver.withLock { $0 = true }
            hasEnded.wait()
            #expect(found == 300)
        }
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
