/// Thrown for a value that cannot be stored among defaults.
struct UnsupportedProperty: Error, CustomStringConvertible {
    let type: any Any.Type
    var description: String { "\(type) is neither Encodable nor an array or dictionary of Encodable values" }
}
