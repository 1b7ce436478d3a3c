/// The state of a value.
public enum GroupFileStatus: Hashable, Sendable {
    /// The value is what the file holds.
    case current
    /// There is no file; the value is the initial value.
    case missing
    /// The file holds something that does not decode or cannot be read; the value is the last good one, or the initial
    /// value if there was none.
    case invalid(GroupFileError)
}
