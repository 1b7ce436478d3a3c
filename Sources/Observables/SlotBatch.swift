import Synchronization
import SystemCalls

/// Many slots of one executor that have become ready together: a job for each of them would take as long again as
/// their handlers' calls.
///
/// 1. **start** gives the executor as many jobs as may block at once.
/// 2. **run**: each job starts one slot after the other, whichever is next: mostly the first job starts nearly all, but
///    where a handler blocks, the rest is left to the other jobs.
/// 3. **again**: after some slots a job goes to the end of the queue, so that others need not wait for all.
final class SlotBatch: Sendable {
    /// So many of the handlers may block, and the rest is called: as many as an executor has threads for.
    private static let mostAtOnce = 64
    /// How many slots a job starts in its turn.
    private static let turn = 8

    private let slots: [ChannelSlot]
    private let executor: any JobExecutor
    /// The index of the slot that is started next; beyond the end, if there is none.
    private let next = Atomic(0)

    init(_ slots: [ChannelSlot], _ executor: any JobExecutor) {
        self.slots = slots
        self.executor = executor
    }

    func start() {
        for _ in 0..<min(slots.count, Self.mostAtOnce) { executor.execute { self.run() } }
    }

    private func run() {
        for _ in 0..<Self.turn {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < slots.count else { return }
            slots[index].run()
            if CurrentProcess.isForked { return }
        }
        executor.execute { self.run() }
    }
}
