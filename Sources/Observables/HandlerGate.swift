import Synchronization

/// Keeps a handler from being called once its subscription is cancelled.
///
/// A slot has begun its call by the time an operator's closure, or a value's own code, runs. If that cancels the
/// subscription, or another thread does meanwhile, the handler that comes after it does not start any more.
package final class HandlerGate: Sendable {
    private let isClosed = Atomic(false)

    package init() {}

    package func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
    }

    /// The handler, for as long as this is open.
    package func guarding<Element>(
        _ handler: @escaping @Sendable (Element) -> Void
    ) -> @Sendable (Element) -> Void {
        { [self] element in
            if !isClosed.load(ordering: .sequentiallyConsistent) { handler(element) }
        }
    }
}
