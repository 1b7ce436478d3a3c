import Synchronization

/// Keeps a handler from being called once its subscription is cancelled.
///
/// While an operator's closure, or a value's own code, runs, the slot's call has already begun. If that code cancels
/// the subscription, or another thread does so meanwhile, the handler that comes next must not start.
package final class HandlerGate: Sendable {
    private let isClosed = Atomic(false)

    package init() {}

    package func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
    }

    /// Wraps the handler: it is called only while the gate is open.
    package func guarding<Element>(
        _ handler: @escaping @Sendable (Element) -> Void
    ) -> @Sendable (Element) -> Void {
        { [self] element in
            if !isClosed.load(ordering: .sequentiallyConsistent) { handler(element) }
        }
    }
}
