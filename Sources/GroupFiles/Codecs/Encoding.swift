/// What is written to the file for a value.
struct Encoding: Sendable {
    let bytes: [UInt8]
    /// Whether the bytes have members that the value's type does not know.
    var hasUnknown = false
    /// Whether the content that this replaces may have such members without anybody knowing, because it is not JSON to
    /// us, or does not decode while requested keys are recorded.
    var mayHideUnknownMembers = false
}
