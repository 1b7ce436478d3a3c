import Dispatch

/// The pure part of a `Channel`: who has seen what, and what is to be done. It calls nobody; `ChannelCore` guards it
/// and performs what it returns. Whatever may run the user's `deinit` is handed out too, to be released outside of the lock.
///
///     idle ──publish──▶ ready ──take──▶ draining ──take, nothing new──▶ idle
///                         ▲                │ │
///                         └─────pause──────┘ └──cancel──▶ leaving ──take──▶ gone
///
/// A publication makes work for idle slots; for the others it just moves the version on, which their owner sees when it
/// takes or pauses. A ready slot that wants its caller's thread is taken by who comes first: its first publisher may be
/// busy with another's handler. `leaving` remembers who waits for the call in progress to end.
struct ChannelState: Sendable {
    typealias Handler = @Sendable (Payload) -> Void

    enum Phase {
        case idle
        case ready
        case draining
        case leaving(DispatchGroup?)
    }

    struct Slot: Sendable {
        let job: ChannelSlot
        var handler: Handler?
        var seen: UInt64
        var phase: Phase
    }

    enum Step {
        case call(Handler, Payload)
        case again
        case rest
        case leave(DispatchGroup?)
    }

    private(set) var payload: Payload
    /// Counts publications. The first element is 1, so that 0 has seen nothing.
    private(set) var version: UInt64 = 1
    private var lastID: UInt64 = 0
    /// In the order of their ids, which is the order of subscription.
    private(set) var slots: [Slot] = []
    private(set) var waiters: [Waiter] = []

    init(_ payload: Payload) {
        self.payload = payload
    }

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Returns what was replaced, too.
    mutating func publish(_ new: Payload) -> (ready: Ready, old: Payload) {
        let old = payload
        payload = new
        version += 1
        var ready = Ready()
        for index in slots.indices {
            switch slots[index].phase {
            case .idle: slots[index].phase = .ready
            case .ready where slots[index].job.delivery.isCaller: break
            default: continue
            }
            ready.append(.slot(slots[index].job))
        }
        for waiter in waiters { ready.append(.waiter(waiter)) }
        return (ready, old)
    }

    // MARK: Slots

    /// One that wants its caller's thread at once is the subscriber's own from the beginning: else a sender who comes in
    /// between would make the first call, and the subscriber return before it.
    mutating func insert(_ job: ChannelSlot, _ handler: @escaping Handler, initially: Bool) {
        let phase: Phase = if !initially { .idle } else if job.delivery.isCaller { .draining } else { .ready }
        slots.append(Slot(job: job, handler: handler, seen: initially ? 0 : version, phase: phase))
    }

    /// The next call of the slot's owner, who is the thread that started a ready slot, or the subscriber's.
    mutating func take(_ id: UInt64, starting: Bool) -> Step {
        guard let index = index(of: id) else { return .rest }
        switch (slots[index].phase, starting) {
        case (.ready, true), (.draining, false): break
        case (.leaving(let group), false):
            slots.remove(at: index)
            return .leave(group)
        default: return .rest
        }
        guard let handler = slots[index].handler, slots[index].seen < version else {
            slots[index].phase = .idle
            return .rest
        }
        slots[index].seen = version
        slots[index].phase = .draining
        return .call(handler, payload)
    }

    /// Ends the owner's turn after a call. `again`: something came meanwhile, and the slot wants to be started anew.
    mutating func pause(_ id: UInt64) -> Step {
        guard let index = index(of: id) else { return .rest }
        if case .leaving(let group) = slots[index].phase {
            slots.remove(at: index)
            return .leave(group)
        }
        let isBehind = slots[index].seen < version
        slots[index].phase = isBehind ? .ready : .idle
        return isBehind ? .again : .rest
    }

    /// Returns what held the handler, to be released, and what to wait for if a call is in progress.
    mutating func cancel(_ id: UInt64, mayWait: Bool) -> (released: Slot?, call: DispatchGroup?) {
        guard let index = index(of: id) else { return (nil, nil) }
        var call: DispatchGroup?
        switch slots[index].phase {
        case .idle, .ready: return (slots.remove(at: index), nil)
        case .draining: break
        case .leaving(let group): call = group
        }
        if mayWait, call == nil {
            let group = DispatchGroup()
            group.enter()
            call = group
        }
        let released = slots[index]
        slots[index].handler = nil  // The owner will drop the slot under the lock, and no handler with it.
        slots[index].phase = .leaving(call)
        return (released, mayWait ? call : nil)
    }

    private func index(of id: UInt64) -> Int? {
        var low = 0
        var high = slots.count
        while low < high {
            let middle = (low + high) / 2
            if slots[middle].job.id < id { low = middle + 1 } else { high = middle }
        }
        return low < slots.count && slots[low].job.id == id ? low : nil
    }

    // MARK: Waiters

    /// Keeps the waiter until the next publication; false where one has been made since `seen`.
    mutating func enqueue(_ waiter: Waiter, after seen: UInt64) -> Bool {
        guard version == seen else { return false }
        waiters.append(waiter)
        return true
    }

    mutating func dequeue(_ id: UInt64) -> Waiter? {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return waiters.remove(at: index)
    }
}
