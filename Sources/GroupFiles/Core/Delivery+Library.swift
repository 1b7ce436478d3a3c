import Dispatch
import FileEvents
import Observables

/// Subscribers are called on the threads of the pool.
extension ThreadPool: JobExecutor {}

extension Delivery {
    /// On the queue; without one, on a thread of the library.
    static func on(_ queue: DispatchQueue?) -> Delivery { queue.map(Delivery.queue) ?? .executor(ThreadPool.shared) }
}
