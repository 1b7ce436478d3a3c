import Foundation
import SystemCalls
import TestSupport
import Testing

struct BlockingTests {
    /// As much of it as there are cooperative threads, until a task lets it go on. It does not sleep meanwhile: dispatch
    /// adds a thread after a second where all of a queue's do.
    @Test func whatBlocksHoldsUpNoTask() async {
        let mayGoOn = Gate()
        let count = ProcessInfo.processInfo.activeProcessorCount
        let blocked = Log<Void>()
        let outcomes = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
            for _ in 0..<count {
                group.addTask {
                    await blocking {
                        blocked.append(())
                        let end = Moment.now + .testDeadline
                        while Moment.now < end { if mayGoOn.isOpen { return true } }
                        return false
                    }
                }
            }
            #expect(await blocked.reach { $0.count == count })
            await Task.detached { mayGoOn.open() }.value
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes == Array(repeating: true, count: count))
    }
}
