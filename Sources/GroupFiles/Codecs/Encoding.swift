/// What is written in a value's place.
struct Encoding: Sendable {
    var bytes: [UInt8]
    /// Whether members are in it that the value's type does not know.
    var hasUnknown = false
    /// Whether what it replaces may hold such members, too, and nobody can tell: it is no JSON to us, or does not decode
    /// while it is recorded what is asked for.
    var mayHideUnknownMembers = false
}
