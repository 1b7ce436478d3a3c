import Foundation
import SystemCalls
import TestSupport
import Testing

struct BlockingTests {
    /// Blocks as many jobs as there are cooperative threads, until a task lets them go on. The jobs do not sleep
    /// meanwhile: dispatch adds a thread after a second if all jobs of a queue sleep.
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
