public import Dispatch

/// Work that waits for a thread. A subscriber's slot is itself the job, so that handing it over allocates nothing.
@usableFromInline
package protocol Job: AnyObject, Sendable {
    /// Does the work on the calling thread. A job that has nothing to do any more returns at once.
    func run()
}

/// Something with threads of its own. `execute` returns without having run the job, and must call `run` once, later.
@usableFromInline
package protocol JobExecutor: AnyObject, Sendable {
    func execute(_ job: any Job)
}

/// Where a subscription's handler is called.
@usableFromInline
package enum Delivery: Sendable {
    /// On the thread that publishes (the first call: on the one that subscribes).
    case caller
    /// On a thread of the executor. It stays with the slot until nothing is pending.
    case executor(any JobExecutor)
    /// On the queue, one block for each call, so that a busy subject does not keep the main queue for itself.
    case queue(DispatchQueue)

    var isCaller: Bool {
        if case .caller = self { true } else { false }
    }

    var isQueue: Bool {
        if case .queue = self { true } else { false }
    }
}

/// A job that knows where it wants to run.
protocol DeliveredJob: Job {
    var delivery: Delivery { get }
}

extension DeliveredJob {
    /// Brings the job to where it runs; `.caller` jobs have ended when this returns.
    func start() {
        switch delivery {
        case .caller: run()
        case .executor(let executor): executor.execute(self)
        case .queue(let queue): queue.async { self.run() }
        }
    }
}
