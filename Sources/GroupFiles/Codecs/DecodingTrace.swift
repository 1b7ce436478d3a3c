/// What a type asked a decoder for last: where that fails, it is what does not decode. Used by one thread.
final class DecodingTrace {
    /// Where a container is. Made once for each: it holds on to that, which is copied before it moves on, then.
    typealias Place = () -> [any CodingKey]

    private var lastAsked: (place: Place, key: (any CodingKey)?, type: any Any.Type)?

    /// The path is made only where it is told.
    var last: (path: [any CodingKey], type: any Any.Type)? {
        lastAsked.map { last in (last.place() + [last.key].compactMap(\.self), last.type) }
    }

    /// - Parameter key: What was asked for in that place; nil where that is the place itself.
    func note(_ type: any Any.Type, _ key: (any CodingKey)? = nil, in place: @escaping Place) {
        lastAsked = (place, key, type)
    }

    /// The other one's last is this one's.
    func follow(_ other: DecodingTrace) {
        if let last = other.lastAsked { lastAsked = last }
    }
}
