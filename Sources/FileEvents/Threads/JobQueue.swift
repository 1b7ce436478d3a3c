import SystemCalls

/// Jobs that wait for a thread, first in, first out.
struct JobQueue {
    struct Waiting {
        let job: ThreadPool.Job
        let since: Moment
    }

    private var jobs: [Waiting?] = []
    private var head = 0
    /// This many places of jobs that were taken may remain in any case; beyond that, no more places than there are
    /// waiting jobs.
    private static let mostTaken = 32

    var isEmpty: Bool { head == jobs.count }

    /// How many have waited since `moment` or longer; counts no further than `most`.
    func count(since moment: Moment, most: Int) -> Int {
        jobs[head...].prefix(most).prefix { $0.map { $0.since <= moment } ?? false }.count
    }

    /// When the first of the jobs that came after `moment` was added.
    func firstSince(after moment: Moment) -> Moment? {
        // There may be thousands, in the order in which they came.
        var (low, high) = (head, jobs.count)
        while low < high {
            let middle = (low + high) / 2
            if let since = jobs[middle]?.since, since > moment { high = middle } else { low = middle + 1 }
        }
        return low < jobs.count ? jobs[low]?.since : nil
    }

    mutating func append(_ job: @escaping ThreadPool.Job, since: Moment) {
        jobs.append(Waiting(job: job, since: since))
    }

    mutating func popFirst() -> Waiting? {
        guard !isEmpty else { return nil }
        let next = jobs[head]
        jobs[head] = nil
        head += 1
        if head < Self.mostTaken { return next }
        if isEmpty {
            jobs.removeAll(keepingCapacity: jobs.capacity <= 1024)
            head = 0
        } else if head >= jobs.count - head {
            jobs.removeFirst(head)
            head = 0
        }
        return next
    }
}
