/// What a program may do with a container or a value.
public enum Access: String, Hashable, Sendable {
    /// Reads, writes, and creates what is missing.
    case readWrite
    /// Only reads: creates nothing, neither the file nor the container.
    case readOnly
}
