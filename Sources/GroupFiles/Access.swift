/// What a program may do with a container or a value.
public enum Access: String, Hashable, Sendable {
    /// Reads, writes, and makes what is missing.
    case readWrite
    /// Only looks: creates nothing, not the file, not the container.
    case readOnly
}
