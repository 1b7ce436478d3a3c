import FoundationEssentials

/// What is missing in a text, and where it is taken from.
struct Filling {
    /// As the value's own encoding.
    let initial: Data
    /// Where decoding failed for want of something; where else it does is found out.
    let wanted: [any CodingKey]

    /// Nil where an error wants nothing, or there is nothing to take it from.
    init?(_ error: any Error, _ initial: () -> Data?) {
        guard let wanted = error.wantedPlace, let initial = initial() else { return nil }
        self.initial = initial
        self.wanted = wanted
    }
}

extension Error {
    /// Where decoding wanted something that is not there, or null; nil where it failed otherwise.
    var wantedPlace: [any CodingKey]? {
        switch self as? DecodingError {
        case .keyNotFound(let key, let context): context.codingPath + [key]
        case .valueNotFound(_, let context): context.codingPath
        default: nil
        }
    }
}
