public import Dispatch

/// What operators return: the values of another stream, transformed on their way.
public struct DerivedStream<Element: Sendable>: ValueStream {
    private let attach: @Sendable (_ handler: @escaping @Sendable (Element) -> Void) -> Subscription
    /// Values that are equal by it are not delivered in a row; nil if any may be. Code that skips values has to apply
    /// it again: what was skipped may have stood between two equal values.
    let areEqual: (@Sendable (Element, Element) -> Bool)?

    /// - Parameter attach: subscribes upstream, such that one call comes at a time.
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
