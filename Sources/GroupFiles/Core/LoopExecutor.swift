import FileEvents
import Observables

/// Runs subscribers on the threads of the loop.
final class LoopExecutor: JobExecutor {
    static let shared = LoopExecutor()

    func execute(_ job: any Job) {
        EventLoop.shared.execute { job.run() }
    }
}
