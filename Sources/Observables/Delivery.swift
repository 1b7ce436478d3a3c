package import Dispatch

/// Where a subscription's handler is called.
package enum Delivery: Sendable {
    /// On the thread that publishes (the first call: on the one that subscribes).
    case caller
    /// On a thread of the executor, which stays with the slot until nothing is pending.
    case executor(any JobExecutor)
    /// On the queue, one block per call, so that a busy subject does not monopolize the main queue.
    case queue(DispatchQueue)

    var isCaller: Bool {
        if case .caller = self { true } else { false }
    }

    var isExecutor: Bool {
        if case .executor = self { true } else { false }
    }

    var isQueue: Bool {
        if case .queue = self { true } else { false }
    }
}
