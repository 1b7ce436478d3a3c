public import Dispatch

/// What operators return: the values of another stream, transformed on their way.
public struct DerivedStream<Element: Sendable>: ValueStream {
    private let attach: @Sendable (_ handler: @escaping @Sendable (Element) -> Void) -> Subscription
    /// The stream never delivers two values in a row that this function calls equal; nil if it may. Code that skips
    /// values has to apply the function again, because a skipped value may have stood between two equal ones.
    let areEqual: (@Sendable (Element, Element) -> Bool)?

    /// - Parameter attach: Subscribes upstream, and calls the handler for one value at a time.
    init(
        removingDuplicates areEqual: (@Sendable (Element, Element) -> Bool)? = nil,
        _ attach: @escaping @Sendable (_ handler: @escaping @Sendable (Element) -> Void) -> Subscription
    ) {
        self.areEqual = areEqual
        self.attach = attach
    }

    /// Calls `handler` with values until the subscription is cancelled or released: where the stream delivers, or on
    /// `queue`.
    public func sink(on queue: DispatchQueue? = nil, _ handler: @escaping @Sendable (Element) -> Void) -> Subscription {
        let gate = HandlerGate()
        let handler = gate.guarding(handler)
        guard let queue else {
            let upstream = attach(handler)
            return Subscription { mayWait in
                gate.close()
                upstream.cancel(mayWait: mayWait)
            }
        }
        let distinct = areEqual.map { LastDelivered.removingDuplicates(by: $0, handler) } ?? handler
        let hop = Channel<Element?>(nil)
        let downstream = hop.subscribe(.queue(queue), initially: false) { element in
            if let element { distinct(element) }
        }
        let upstream = attach { hop.publish($0).run() }
        return Subscription { _ in
            gate.close()
            // A cancel on the queue must not wait for a sender, which may want the queue.
            upstream.cancel(mayWait: false)
            downstream.cancel(mayWait: false)
        }
    }
}
