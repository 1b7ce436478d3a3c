/// Reads a channel from a task: at once what it has not seen yet, else it suspends. Always the newest, never one twice.
///
/// It is in the channel only while it is suspended, so dropping it leaves nothing behind.
package struct ChannelReader<Element: Sendable>: ValueReader {
    private var reader: PayloadReader

    init(_ core: ChannelCore, seen: UInt64) {
        reader = PayloadReader(core: core, seen: seen)
    }

    package mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        await reader.next(isolation: isolation).map(Channel<Element>.open)
    }
}
