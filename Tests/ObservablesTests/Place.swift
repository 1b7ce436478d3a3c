import Dispatch
import Observables

/// Where calls may come, and whether the first one has been made when `subscribe` returns.
enum Place: CaseIterable, Sendable {
    case caller, executor, queue

    var delivery: Delivery {
        switch self {
        case .caller: .caller
        case .executor: .executor(SerialExecutor())
        case .queue: .queue(DispatchQueue(label: "test.queue"))
        }
    }
}
