import Glibc

/// What lets polling skip a read: the same file, as long, and not changed since.
package struct Fingerprint: Hashable, Sendable {
    package let identity: FileIdentity
    package let size: Int
    package let changed: Int64
    package let links: Int

    /// How many nanoseconds ago the file says that it changed; nil where that is in the future, or too far off.
    package var age: Int64? {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let now = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        let (age, isTooFar) = now.subtractingReportingOverflow(changed)
        return isTooFar || age < 0 ? nil : age
    }

    /// Times are coarse on some kernels: of a change that is younger than two seconds they prove nothing.
    package var provesContent: Bool { age.map { $0 >= 2_000_000_000 } ?? false }
}
