/// What a write survives: the more, the longer it takes.
public enum Durability: String, Hashable, Sendable, CaseIterable {
    /// Any crash of any process.
    case relaxed
    /// A power cut leaves the old value or the new one, whole. The file is synced before it is published.
    case consistent
    /// Once the write has returned, a power cut leaves the new value. The directory is synced, too.
    case durable
}
