/// What is written for a value, and over what.
struct PendingWrite {
    /// The encoding of the value alone.
    let own: Encoding
    /// That encoding, with what `old` holds besides the value.
    let whole: Encoding
    /// The content that is to be displaced.
    let old: Content
}
