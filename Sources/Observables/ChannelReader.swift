/// Reads the elements of a channel from a task, through a ``PayloadReader``.
package struct ChannelReader<Element: Sendable>: AsyncIteratorProtocol {
    private var reader: PayloadReader
    private let open: @Sendable (Payload) -> Element

    init(_ reader: PayloadReader, _ open: @escaping @Sendable (Payload) -> Element) {
        self.reader = reader
        self.open = open
    }

    package mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        await reader.next(isolation: isolation).map(open)
    }
}
