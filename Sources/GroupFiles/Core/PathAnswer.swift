import SystemCalls

/// Whether a name leads to a core. Not to be able to look is another thing than to have seen that it does not.
enum PathAnswer {
    case yes, no, unknown
}

extension Errno {
    /// Whether a path does not lead to what is looked for; else there is something that cannot be looked at.
    var isNotFound: Bool { self == .noEntry || self == .notDirectory }
}
