/// What a publication made ready: handlers to call and sequences to resume. Nothing of it has run yet, so that a caller
/// may publish under a lock of its own.
///
/// Call `run()`, or its two halves, or `runOnExecutor()` once, outside of every lock. Running it again, or after
/// another publication's `run()` has done the same, has no effect. If the list is dropped without being run, its
/// subscribers with an executor or a queue never get anything again.
package struct ReadyList: Sendable {
    enum Item: Sendable {
        case slot(ChannelSlot)
        case waiter(Waiter)
    }

    /// Handing over this many takes no time worth mentioning.
    private static let few = 32

    /// The common case of one subscriber needs no array.
    private var first: Item?
    private var others: [Item] = []

    /// Nothing to run.
    package init() {}

    package var isEmpty: Bool { first == nil }

    /// Resumes sequences, hands over to queues and executors, and then calls handlers with `.caller` delivery on this
    /// thread.
    package func run() {
        handOver()
        callHere()
    }

    /// Resumes sequences, and hands over to queues and executors, which takes no time. This comes first: a handler may
    /// take any length of time, and the others must not wait for it.
    func handOver() {
        first?.handOver()
        handOverOthers()
    }

    private func handOverOthers() {
        if others.count <= Self.few {
            for item in others { item.handOver() }
            return
        }
        // Slots in a row that have the same executor; usually all of them.
        var slots: [ChannelSlot] = []
        var executor: (any JobExecutor)?
        for item in others {
            guard case .slot(let slot) = item, case .executor(let own) = slot.delivery else {
                item.handOver()
                continue
            }
            if let executor, executor !== own {
                SlotBatch(slots, executor).start()
                slots = []
            }
            executor = own
            slots.append(slot)
        }
        if let executor { SlotBatch(slots, executor).start() }
    }

    /// Calls the handlers with `.caller` delivery, in the order of subscription.
    func callHere() {
        first?.callHere()
        for item in others { item.callHere() }
    }

    /// Like `run()`, for a thread of the executor that has nothing else to do. Once the others have been handed over,
    /// the first subscriber is called right here, or the first sequence is resumed and kept for this thread. If there
    /// are so many others that handing them over takes time, the first is handed over before them.
    package func runOnExecutor() {
        guard let first else { return }
        if others.count > Self.few { return run() }
        handOverOthers()
        switch first {
        case .slot(let slot) where slot.delivery.isExecutor: slot.run()
        case .slot: first.handOver()
        case .waiter(let waiter): waiter.core.wake(waiter.id, isKept: true)
        }
        callHere()
    }

    /// Adds what another publication made ready.
    mutating func append(_ other: ReadyList) {
        guard let item = other.first else { return }
        append(item)
        others += other.others
    }

    mutating func append(_ item: Item) {
        if first == nil { first = item } else { others.append(item) }
    }
}

extension ReadyList.Item {
    fileprivate func handOver() {
        switch self {
        case .slot(let slot): if !slot.delivery.isCaller { slot.start() }
        case .waiter(let waiter): waiter.core.wake(waiter.id)
        }
    }

    fileprivate func callHere() {
        if case .slot(let slot) = self, slot.delivery.isCaller { slot.start() }
    }
}
