/// What a type asked a decoder for last: where that fails, it is what does not decode. Used by one thread.
final class DecodingTrace {
    private(set) var last: (path: [any CodingKey], type: any Any.Type)?

    func note(_ type: any Any.Type, at path: [any CodingKey]) {
        last = (path, type)
    }
}
