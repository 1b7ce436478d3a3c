/// What a type asked a decoder for last: where that fails, it is what does not decode. Used by one thread.
final class DecodingTrace {
    private var lastAsked: (path: () -> [any CodingKey], type: any Any.Type)?

    var last: (path: [any CodingKey], type: any Any.Type)? { lastAsked.map { ($0.path(), $0.type) } }

    /// The path is made of what is on the way only where it is told.
    func note(_ type: any Any.Type, at path: @autoclosure @escaping () -> [any CodingKey]) {
        lastAsked = (path, type)
    }

    /// The other one's last is this one's.
    func follow(_ other: DecodingTrace) {
        if let last = other.lastAsked { lastAsked = last }
    }
}
