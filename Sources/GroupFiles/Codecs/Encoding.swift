/// What is written to the file for a value.
struct Encoding: Sendable {
    let bytes: [UInt8]
    /// Whether it has members that the value's type does not know.
    var hasUnknown = false
    /// Whether the content that it replaces may have such members, too, without anybody knowing: it is not JSON to us,
    /// or does not decode while requested keys are recorded.
    var mayHideUnknownMembers = false
}
