import SystemCalls

/// Calls that tasks await, one at a time, first come, first served. Calls that wait take no thread. A call begins as
/// soon as it has its turn; for that it needs neither its task nor its actor, which may be blocked.
///
/// 1. A call takes a *place*, and *enters* the queue with it.
/// 2. If its task is cancelled there, or its time runs out, it *leaves* the queue.
/// 3. Once no other call has the turn, and the ``CallGate`` lets the queue's next call begin, that call has the turn,
///    and is *run* on a thread of its own.
/// 4. It *releases* the turn, on whatever thread that is. If it has to start over, it enters once more, with its old
///    place, ahead of calls that came later.
final class CallQueue: Sendable {
    /// The call that has it releases it, once.
    struct Turn: Sendable {
        let queue: CallQueue
        let place: Place
        fileprivate let ticket: CallGate.Ticket

        /// Whether no earlier call of a task of the same actor has had to start over, and has not ended.
        var isFirst: Bool { queue.state.withLock { $0.isFirst(place) } }

        /// Notes, before the turn is released, that the call has to start over; until that is forgotten.
        func noteReturning() { queue.noteReturning(place) }

        func release() {
            if !CurrentProcess.isForked { queue.release(ticket) }
        }
    }

    /// Places are in the order in which they were taken.
    struct Place: Comparable, Sendable {
        fileprivate let number: UInt64
        /// The actor on which the call's task goes on; nil if it goes on anywhere.
        fileprivate let actor: ObjectIdentifier?

        static func < (a: Place, b: Place) -> Bool { a.number < b.number }
    }

    struct Call: Sendable {
        let place: Place
        /// Whether a value's lock is held until the call has ended; if so, the call does not wait at the gate.
        var isWithinUpdate = false
        /// Called on a thread that it may block.
        let run: @Sendable (Turn) -> Void
        /// Called instead if there is no thread for the call.
        let fail: @Sendable (Errno) -> Void
    }

    private struct State {
        /// Whether a call has the turn, or is about to get it. If not, no call waits.
        var isTaken = false
        var waiting = WaitingCalls()
        /// Those that have had to start over.
        var returning: [Place] = []
        var lastNumber: UInt64 = 0

        /// Tasks of one actor keep their order. Those of different actors do not: one may be blocked for long.
        func isFirst(_ place: Place) -> Bool {
            place.actor == nil || !returning.contains { $0 < place && $0.actor == place.actor }
        }
    }

    private let gate: CallGate
    /// Under its lock nothing is called but the closures that `enter` and `leave` are given.
    private let state = Guarded(State())

    init(gate: CallGate = .shared) {
        self.gate = gate
    }

    /// How many calls wait.
    var waitingCount: Int { state.withLock(\.waiting.count) }
    var isFree: Bool { state.withLock { !$0.isTaken } }

    /// For a call of a task of this actor; nil if it goes on anywhere.
    func newPlace(of actor: ObjectIdentifier? = nil) -> Place {
        state.withLock { state in
            state.lastNumber += 1
            return Place(number: state.lastNumber, actor: actor)
        }
    }

    /// Takes the turn for a call that is not in the queue; nil if another call has it, if an earlier one of its actor
    /// has had to start over, or if the gate lets no call begin.
    func takeIfFree(_ place: Place) -> Turn? {
        let isFree = state.withLock { state in
            if state.isTaken || !state.isFirst(place) { return false }
            state.isTaken = true
            return true
        }
        if !isFree { return nil }
        guard let ticket = gate.enterIfFree() else {
            release(.uncounted)
            return nil
        }
        return Turn(queue: self, place: place, ticket: ticket)
    }

    /// Notes that a call has to start over; until it is forgotten.
    func noteReturning(_ place: Place) {
        state.withLock { state in
            if !state.returning.contains(place) { state.returning.append(place) }
        }
    }

    func forgetReturning(_ place: Place) {
        if !CurrentProcess.isForked { state.withLock { $0.returning.removeAll { $0 == place } } }
    }

    /// Returns whether the call waits, and so may leave. A call that finds the queue free does not leave at the gate
    /// when its time runs out, because it waits for no lock there.
    func enter(_ call: Call, unless isOver: () -> Bool) -> Bool {
        let (waits, isNext) = state.withLock { state -> (Bool, Bool) in
            // The call may have been cancelled before it came here.
            if isOver() { return (false, false) }
            state.waiting.insert(call)
            if state.isTaken { return (true, false) }
            state.isTaken = true
            return (false, true)
        }
        if isNext, call.isWithinUpdate {
            _ = runNext(.uncounted)
        } else if isNext {
            beginNext()
        }
        return waits
    }

    /// False if the call has had its turn, or has it; or if it has ended: then another call may be here with its place.
    func leave(_ place: Place, unless hasEnded: () -> Bool = { false }) -> Bool {
        let call = state.withLock { state in hasEnded() ? nil : state.waiting.remove(place) }
        // Released after the lock.
        return call != nil
    }

    /// Ends the turn; called on behalf of the call that has it.
    private func release(_ ticket: CallGate.Ticket) {
        let isWanted = state.withLock { state in
            state.isTaken = state.waiting.count > 0
            return state.isTaken
        }
        gate.leave(ticket)
        if isWanted { beginNext() }
    }

    /// Lets the first call that waits have the turn, once the gate lets a call begin.
    private func beginNext() {
        gate.enter { [self] in runNext($0) }
    }

    /// Runs the first call that waits; false if no call waits any more.
    private func runNext(_ ticket: CallGate.Ticket) -> Bool {
        while true {
            let next = state.withLock { state -> Call? in
                let next = state.waiting.popFirst()
                if next == nil { state.isTaken = false }
                return next
            }
            guard let next else { return false }
            do throws(Errno) {
                try BlockingThreads.shared.run { [self] in
                    next.run(Turn(queue: self, place: next.place, ticket: ticket))
                }
                return true
            } catch {
                next.fail(error)
            }
        }
    }
}
