import Synchronization
import SystemCalls

/// Many slots of one executor that became ready together. Giving each of them a job of its own would take as long again
/// as calling their handlers.
///
/// 1. **start** gives the executor as many jobs as may block at once.
/// 2. **run**: each job starts one slot after the other, whichever is next. Usually the first job starts nearly all of
///    them; where a handler blocks, the rest is left to the other jobs.
/// 3. **again**: after a few slots a job goes to the end of the executor's queue, so that other work need not wait for
///    the whole batch.
final class SlotBatch: Sendable {
    /// This many of the handlers may block while the rest are still called: as many as an executor has threads for.
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
