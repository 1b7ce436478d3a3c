/// The last request that a type made of a decoder, until the request is fulfilled: if decoding fails, what was
/// requested last is what does not decode. Used by one thread only.
final class DecodingTrace {
    /// Returns the coding path of a container. Made once for each container, because it retains the container, which
    /// then has to be copied before it advances.
    typealias Place = () -> [any CodingKey]

    private var lastAsked: (place: Place, key: (any CodingKey)?, type: any Any.Type)?

    /// The path is made only when it is reported.
    var last: (path: [any CodingKey], type: any Any.Type)? {
        lastAsked.map { last in (last.place() + [last.key].compactMap(\.self), last.type) }
    }

    /// - Parameter key: The key that was requested in that place; nil if the place itself was.
    func note(_ type: any Any.Type, _ key: (any CodingKey)? = nil, in place: @escaping Place) {
        lastAsked = (place, key, type)
    }

    /// Forgets the last request, which gave this value: whatever fails next is not what that request was for.
    func fulfilled<T>(_ value: T) -> T {
        lastAsked = nil
        return value
    }

    /// Takes over the last request of another trace, if it has one.
    func follow(_ other: DecodingTrace) {
        if let last = other.lastAsked { lastAsked = last }
    }
}
