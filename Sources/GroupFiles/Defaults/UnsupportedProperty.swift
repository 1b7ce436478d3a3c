/// Thrown for what cannot be kept among defaults.
struct UnsupportedProperty: Error, CustomStringConvertible {
    let type: any Any.Type
    var description: String { "\(type) is neither Encodable nor an array or a dictionary of such" }
}
