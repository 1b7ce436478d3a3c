/// What lets polling skip a read: the same file, of the same size, and not changed since.
package struct Fingerprint: Hashable, Sendable {
    let identity: FileIdentity
    package let size: Int
    package let changed: Int64
    package let links: Int

    /// The nanoseconds since the file's change time; nil if that is in the future, or out of range.
    package var age: Int64? {
        let (age, isTooFar) = FileClock.now.subtractingReportingOverflow(changed)
        return isTooFar || age < 0 ? nil : age
    }

    /// Times are coarse on some kernels: they prove nothing if the last change was less than two seconds ago.
    package var provesContent: Bool { age.map { $0 >= 2_000_000_000 } ?? false }
}
