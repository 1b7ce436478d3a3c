import SystemCalls

/// Scheduled actions: a binary heap by time. Pure.
package struct DeadlineQueue: Sendable {
    typealias Action = @Sendable () -> Void

    package struct Token: Hashable, Sendable {
        fileprivate let number: UInt64

        /// The token of an action that is never run.
        static let never = Token(number: 0)
    }

    private struct Entry {
        let moment: Moment
        let token: Token
    }

    private struct Scheduled {
        let action: Action
        let isBrief: Bool
    }

    /// Entries without an action were cancelled; they are dropped when they reach the top, or are too many.
    private var heap: [Entry] = []
    private var actions: [Token: Scheduled] = [:]
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { actions.isEmpty }

    /// An action that `isBrief` usually ends at once, and is run in turn with others.
    mutating func schedule(
        at moment: Moment, isBrief: Bool, _ action: @escaping Action
    ) -> Token {
        lastNumber += 1
        let token = Token(number: lastNumber)
        actions[token] = Scheduled(action: action, isBrief: isBrief)
        heap.append(Entry(moment: moment, token: token))
        siftUp(heap.count - 1)
        return token
    }

    /// Returns the action that will not be called, so that the caller releases it outside of its lock.
    mutating func cancel(_ token: Token) -> Action? {
        let action = actions.removeValue(forKey: token)
        // A deadline may be years away, and nearly all are cancelled.
        if heap.count > 2 * actions.count + 32 { dropCancelled() }
        return action?.action
    }

    /// When the next action is due.
    mutating func next() -> Moment? {
        while let top = heap.first, actions[top.token] == nil { removeTop() }
        return heap.first?.moment
    }

    /// Takes out what is due at `now`, in order of time; brief actions separately.
    mutating func due(at now: Moment) -> (due: [Action], brief: [Action]) {
        var due: [Action] = []
        var brief: [Action] = []
        while let moment = next(), moment <= now {
            if let scheduled = actions.removeValue(forKey: heap[0].token) {
                if scheduled.isBrief { brief.append(scheduled.action) } else { due.append(scheduled.action) }
            }
            removeTop()
        }
        return (due, brief)
    }

    private mutating func dropCancelled() {
        heap = heap.filter { actions[$0.token] != nil }
        for index in (0..<heap.count / 2).reversed() { siftDown(index) }
    }

    private mutating func removeTop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0, heap[index].moment < heap[(index - 1) / 2].moment {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if heap[child].moment < heap[least].moment { least = child }
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
