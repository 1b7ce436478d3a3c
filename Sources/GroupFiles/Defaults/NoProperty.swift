/// What cannot be kept among defaults.
struct NoProperty: Error, CustomStringConvertible {
    let type: any Any.Type
    var description: String { "\(type) is neither Encodable nor an array or a dictionary of such" }
}
