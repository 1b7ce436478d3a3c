/// What lets polling skip a read: the same file, of the same size, and not changed since.
package struct Fingerprint: Hashable, Sendable {
    let identity: FileIdentity
    package let size: Int
    package let changed: Int64
    private let modified: Int64
    package let links: Int

    init(_ status: FileStatus) {
        (identity, size, links) = (status.identity, status.size, status.links)
        (changed, modified) = (status.changed, status.modified)
    }

    /// Whether the file's content changed last. Not so for a file that was written elsewhere: it got its name after
    /// that.
    package var wasWrittenLast: Bool { modified == changed }

    /// The nanoseconds since the file's change time; nil if that is in the future, or out of range.
    package var age: Int64? {
        let (age, isTooFar) = FileClock.now.subtractingReportingOverflow(changed)
        return isTooFar || age < 0 ? nil : age
    }

    /// Times are coarse on some kernels: they prove nothing if the last change was less than two seconds ago.
    package var provesContent: Bool { age.map { $0 >= 2_000_000_000 } ?? false }
}
