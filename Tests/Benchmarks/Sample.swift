import GroupFiles

/// The value that all programs here exchange, those of the floor included.
struct Sample: Codable, Sendable {
    var counter: Int64
    /// When its writer began to write it: CLOCK_MONOTONIC, nanoseconds.
    var sent: Int64
    var note: String

    /// What stands in a file before the first write.
    static let initialText = #"{"counter":0,"sent":0,"note":"lamp"}"#

    /// A `GroupFile` as a user makes one, for the file at this path.
    static func file(
        _ target: String, _ access: Access, _ durability: Durability = .consistent
    ) throws -> GroupFile<Sample> {
        let slash = target.lastIndex(of: "/") ?? target.startIndex
        let directory = slash == target.startIndex ? "/" : String(target[..<slash])
        let container = try GroupContainer(directory: directory, access: access)
        return try GroupFile(
            String(target[target.index(after: slash)...]), in: container,
            initialValue: Sample(counter: 0, sent: 0, note: "none"), access: access, durability: durability)
    }
}
