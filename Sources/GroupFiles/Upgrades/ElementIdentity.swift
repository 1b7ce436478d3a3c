import JSONText

/// What tells the elements of an array apart: what the type writes for each, and for its key.
///
/// Rather than with the wrong element, one is paired with none.
struct ElementIdentity: Hashable {
    private let texts: [ArraySlice<UInt8>]

    private init(of index: Int, in elements: [OutlinedText]) throws {
        texts = try Self.range(of: index, in: elements).map { index in
            let bytes = elements[index].bytes
            // Within it there may be a set, which is written in any order.
            return bytes.contains(UInt8(ascii: "[")) ? try elements[index].sortedBytes : bytes
        }
    }

    /// The element and its key. A dictionary whose keys are not strings is written as an array: an element that is not
    /// an object may be the key of the object that follows it.
    private static func range(of index: Int, in elements: [OutlinedText]) -> ClosedRange<Int> {
        let hasKey = index > 0 && elements[index].outline.hasObject && !elements[index - 1].outline.hasObject
        return (hasKey ? index - 1 : index)...index
    }

    /// Pairs of indices of the elements that an old array and a new one have in common. Elements that are alike stay in
    /// their order, if there are as many as before; otherwise nothing tells which of them have come or gone.
    ///
    /// - Parameter base: The old array as the type itself writes it; what is not there in the same place is paired with
    ///   nothing: the type may have left something out, or, for a set, have put it elsewhere.
    static func pairs(
        _ old: [OutlinedText], _ base: [OutlinedText], _ new: [OutlinedText]
    ) throws -> [(Int, Int)] {
        guard old.count == base.count else { return [] }
        return try candidates(base, new).filter { index, _ in
            try range(of: index, in: base).allSatisfy { try old[$0].includes(base[$0]) }
        }
    }

    private static func candidates(_ base: [OutlinedText], _ new: [OutlinedText]) throws -> [(Int, Int)] {
        // Mostly it is something else that has changed.
        if base.elementsEqual(new, by: { $0.bytes == $1.bytes }) { return base.indices.map { ($0, $0) } }
        let newIndices = try indices(in: new)
        return try indices(in: base).flatMap { identity, indices in
            guard let newIndices = newIndices[identity], newIndices.count == indices.count else {
                return [(Int, Int)]()
            }
            return Array(zip(indices, newIndices))
        }
    }

    private static func indices(in elements: [OutlinedText]) throws -> [ElementIdentity: [Int]] {
        try Dictionary(grouping: elements.indices) { try ElementIdentity(of: $0, in: elements) }
    }
}
