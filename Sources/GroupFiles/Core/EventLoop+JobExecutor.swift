import FileEvents
import Observables

/// Subscribers are called on the threads of the loop.
extension EventLoop: JobExecutor {}
