import Dispatch
import Observables

/// Every kind of stream that passes on what a subject sends. Each is tested for the promises in the table of
/// `ValueStream`.
enum Shape: CaseIterable, Sendable {
    case subject, map, derivedMap, filter, removeDuplicates, throttle, receive, receiveThenMap, sinkOn, derivedSinkOn

    /// Whether calls come on the sender's thread.
    var isImmediate: Bool {
        switch self {
        case .receive, .receiveThenMap, .sinkOn, .derivedSinkOn: false
        default: true
        }
    }

    func sink<Value: Equatable>(
        _ subject: ValueSubject<Value>, _ handler: @escaping @Sendable (Value) -> Void
    ) -> Subscription {
        let queue = DispatchQueue(label: "test.shape")
        return switch self {
        case .subject: subject.sink(handler)
        case .map: subject.map { $0 }.sink(handler)
        case .derivedMap: subject.filter { _ in true }.map { $0 }.sink(handler)
        case .filter: subject.filter { _ in true }.sink(handler)
        case .removeDuplicates: subject.removeDuplicates().sink(handler)
        case .throttle: subject.throttle(for: .zero).sink(handler)
        case .receive: subject.receive(on: queue).sink(handler)
        case .receiveThenMap: subject.receive(on: queue).map { $0 }.removeDuplicates().sink(handler)
        case .sinkOn: subject.sink(on: queue, handler)
        case .derivedSinkOn: subject.map { $0 }.sink(on: queue, handler)
        }
    }
}
