/// What a publication made ready: handlers to call and sequences to resume. Nothing of it has run yet, so that one may
/// publish under a lock of one's own.
///
/// Call `run()` or `runOnExecutor()` once, outside of every lock. What it does a second time, or after another
/// publication's `run()` has done
/// it, is nothing. If it is dropped, subscribers with an executor or a queue hear nothing any more.
@usableFromInline
package struct Ready: Sendable {
    enum Item: Sendable {
        case job(any DeliveredJob)
        case waiter(Waiter)
    }

    /// The common case of one subscriber needs no array.
    private var first: Item?
    private var others: [Item] = []

    /// Nothing to run.
    package init() {}

    package var isEmpty: Bool { first == nil }

    /// Calls handlers with `.caller` delivery on this thread, hands the others over, resumes sequences.
    package func run() {
        guard let first else { return }
        first.start()
        for item in others { item.start() }
    }

    /// The same for a thread of the executor that has nothing else to do: one subscriber is called right here, once the
    /// others have been handed over.
    package func runOnExecutor() {
        guard let first else { return }
        for item in others { item.start() }
        if case .job(let job) = first, case .executor = job.delivery { job.run() } else { first.start() }
    }

    /// Adds what another publication made ready.
    package mutating func append(_ other: Ready) {
        guard let item = other.first else { return }
        append(item)
        others += other.others
    }

    mutating func append(_ item: Item) {
        if first == nil { first = item } else { others.append(item) }
    }
}

extension Ready.Item {
    fileprivate func start() {
        switch self {
        case .job(let job): job.start()
        case .waiter(let waiter): waiter.core.wake(waiter.id)
        }
    }
}
