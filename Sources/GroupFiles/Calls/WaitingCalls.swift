/// The calls of a ``CallQueue`` that wait for their turn, in the order of their places.
struct WaitingCalls {
    /// Those before `start` have gone: to remove the first of many would move all others.
    private var calls: [CallQueue.Call?] = []
    private var start = 0

    var count: Int { calls.count - start }
    var first: CallQueue.Place? { start < calls.count ? calls[start]?.place : nil }

    /// Where a call with this place is, or belongs.
    private func index(of place: CallQueue.Place) -> Int {
        var (low, high) = (start, calls.count)
        while low < high {
            let middle = (low + high) / 2
            if let call = calls[middle], call.place < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func insert(_ call: CallQueue.Call) { calls.insert(call, at: index(of: call.place)) }

    mutating func remove(_ place: CallQueue.Place) -> CallQueue.Call? {
        let index = index(of: place)
        guard index < calls.count, calls[index]?.place == place else { return nil }
        return calls.remove(at: index)
    }

    mutating func popFirst() -> CallQueue.Call? {
        guard start < calls.count else { return nil }
        defer {
            start += 1
            if 2 * start >= calls.count {
                calls.removeFirst(start)
                start = 0
            }
        }
        return calls[start].take()
    }
}
