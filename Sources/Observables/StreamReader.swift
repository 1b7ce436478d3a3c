/// Reads a stream that is not itself a channel: it subscribes, and keeps the newest value in a channel.
struct StreamReader<Element: Sendable>: AsyncIteratorProtocol {
    private let subscription: Subscription
    private var reader: ChannelReader<Element?>
    private let areEqual: (@Sendable (Element, Element) -> Bool)?
    /// Stored only if there is an `areEqual` to compare it with.
    private var last: Element?

    init(_ stream: some ValueStream<Element>) {
        areEqual = (stream as? DerivedStream<Element>)?.areEqual
        let channel = Channel<Element?>(nil)
        subscription = stream.sink(on: nil) { channel.publish($0).run() }
        reader = channel.makeReader()
    }

    mutating func next(isolation: isolated (any Actor)?) async -> Element? {
        while let found = await reader.next(isolation: isolation) {
            guard let element = found else { continue }
            guard let areEqual else { return element }
            if let last, areEqual(last, element) { continue }
            last = element
            return element
        }
        return nil
    }
}
