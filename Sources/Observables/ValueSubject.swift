public import Dispatch
public import Observation

/// A value that can be set, and that notifies its subscribers: what Combine calls `CurrentValueSubject`.
///
/// ```swift
/// let volume = ValueSubject(5)
/// let subscription = volume.sink { print($0) }  // 5
/// volume.send(6)  // 6
/// ```
///
/// `ValueStream` says what every subscription can rely on. Here values are delivered on the sender's thread, before
/// `send` returns, unless another thread is delivering to that subscriber at that moment: then that thread delivers
/// this value, too. A slow handler delays its sender and, for that value, the subscribers after it that are called on
/// the same thread; no others.
///
/// All of it may be used from any thread. `subject.value += 1` is a read and a send: between the two, others may send.
public final class ValueSubject<Value: Sendable>: ObservableValue {
    private let channel: Channel<Value>
    private let tracking = ValueTracking()

    /// A subject with its first value.
    ///
    /// - Parameter value: The initial value.
    public init(_ value: Value) {
        channel = Channel(value)
    }

    /// The newest value. Setting it sends.
    public var value: Value {
        get {
            tracking.access()
            return channel.current
        }
        set { send(newValue) }
    }

    /// Stores the value, then calls the subscribers on this thread. Equal values are sent, too: see `removeDuplicates`.
    ///
    /// What others send to a subscriber while this thread is calling it is delivered here, too, before `send` returns.
    /// If others may send faster than the handler works, have it called on a queue.
    public func send(_ value: Value) {
        let ready = channel.publish(value)
        ready.handOver()
        tracking.notify()
        ready.callHere()
    }

    /// Calls `handler` with the value, then with each change, until the subscription is cancelled or released.
    ///
    /// - Parameters:
    ///   - queue: Where to call `handler`. With nil, the first call is made on this thread before `sink` returns, as
    ///     are calls for what others send meanwhile; later calls are made on the sender's thread. With a queue, `sink`
    ///     returns before the first call.
    ///   - handler: Called with one value after the other, never concurrently.
    public func sink(on queue: DispatchQueue? = nil, _ handler: @escaping @Sendable (Value) -> Void) -> Subscription {
        channel.subscribe(queue.map(Delivery.queue) ?? .caller, handler)
    }

    /// The value, then changes. The loop ends when its task is cancelled, not when the subject is released.
    public var values: ValueSequence<Value> {
        ValueSequence { [channel] in channel.makeReader() }
    }
}

/// Reads of `value` are tracked by the standard library's Observation: after a change has been stored, tracking
/// handlers are called on the sender's thread, before the subscribers that are called there, unless another thread is
/// calling them at that moment.
///
/// A tracked read fires for changes made after tracking has been installed. A change made *during* the tracked closure
/// may go unseen, because the standard library registers afterwards; and `Observations` can lose the last value when it
/// is changed from another isolation. Code that must not miss a value should use `sink` or `values`.
extension ValueSubject: Observable {}
