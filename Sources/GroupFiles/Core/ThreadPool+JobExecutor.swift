import FileEvents
import Observables

/// Subscribers are called on the threads of the pool.
extension ThreadPool: JobExecutor {}
