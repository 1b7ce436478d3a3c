import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct LockHelperTests {
    /// A task's cancel that comes after its time ran out does not end the wait of the next caller.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G5_aLateCancelEndsNobodyElsesWait(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try folder.write("", to: "turn")
        try folder.write("", to: "lock")
        let directory = try Directory(path: folder.path)
        let holder = FileLock(try directory.open("lock", .readWrite))
        try holder.lock()
        let lock = FileLock(try directory.open("lock", .readWrite))
        let turn = LockTurn(FileLock(try directory.open("turn", .readWrite)))
        let helper = try LockHelper(for: lock) { () throws(Errno) in try turn.wait(for: lock) }
        let isLocked = try await blocking {
            let late = helper.interrupt
            // The time runs out; another caller waits through the same helper.
            guard try !helper.wait(timeout: .zero), helper.resume() else { return false }
            late()
            holder.unlock()
            return try helper.wait(timeout: .seconds(60))
        }
        #expect(isLocked)
        lock.unlock()
    }
}
