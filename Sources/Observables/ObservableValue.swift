public import Dispatch

/// A stream that has a current value.
public protocol ObservableValue<Element>: ValueStream {
    /// The newest value.
    var value: Element { get }
}

extension ObservableValue {
    /// The value, transformed. `transform` is called at each read of `value`, and once for each subscription and
    /// change.
    public func map<Mapped: Sendable>(
        _ transform: @escaping @Sendable (Element) -> Mapped
    ) -> DerivedValue<Mapped> {
        DerivedValue(stream: map(transform), current: { transform(value) })
    }
}

/// What `map` returns for a stream that has a current value: the result has one, too.
public struct DerivedValue<Element: Sendable>: ObservableValue {
    fileprivate let stream: DerivedStream<Element>
    fileprivate let current: @Sendable () -> Element

    /// Computed from the newest value at each read, on the caller's thread.
    public var value: Element { current() }

    /// Calls `handler` with the value, then with each change: where the original delivers, or on `queue`.
    public func sink(on queue: DispatchQueue? = nil, _ handler: @escaping @Sendable (Element) -> Void) -> Subscription {
        stream.sink(on: queue, handler)
    }
}
