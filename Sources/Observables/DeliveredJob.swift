import Dispatch

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
