/// What ``ChannelReader`` is to a channel, for an ``ObjectChannel``.
package struct ObjectReader<Object: AnyObject & Sendable>: ValueReader {
    private var reader: PayloadReader

    init(_ core: ChannelCore) {
        reader = PayloadReader(core: core, seen: 0)
    }

    package mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Object? {
        await reader.next(isolation: isolation).map(ObjectChannel<Object>.open)
    }
}
