import FoundationEssentials

/// What is missing in a text, and where it is taken from.
struct Filling {
    /// The encoding of the initial value.
    let initial: Data
    /// The place where decoding failed because something is missing; further places are found by decoding again.
    let wanted: [any CodingKey]

    /// Nil if the error does not report that something is missing, or if there is no initial value to take it from.
    init?(_ error: any Error, _ initial: () -> Data?) {
        guard let wanted = error.wantedPlace, let initial = initial() else { return nil }
        self.initial = initial
        self.wanted = wanted
    }
}

extension Error {
    /// The place where decoding required something that is missing, or null; nil if it failed for another reason.
    var wantedPlace: [any CodingKey]? {
        switch self as? DecodingError {
        case .keyNotFound(let key, let context): context.codingPath + [key]
        case .valueNotFound(_, let context): context.codingPath
        default: nil
        }
    }
}
