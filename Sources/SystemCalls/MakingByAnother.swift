/// What another user makes for his group is not open to it before it has its permissions: who comes in that moment looks
/// again, for nobody tells. Where the other one was killed, or means it so, that ends after a second.
package struct MakingByAnother {
    private static let longest: Int64 = 1_000_000_000

    private let wanted: UInt32
    private let end = Moment.now.advanced(byNanoseconds: Self.longest)

    /// What it will have once it is made.
    package init(until permissions: UInt32) {
        wanted = permissions
    }

    /// Whether it is to be looked at again; then a moment has passed.
    package func isUnderWay(_ status: FileStatus) -> Bool {
        // A directory that has others in it is in use, however young its last change.
        guard wanted & 0o070 != 0, status.permissions & wanted != wanted, status.links <= 2,
            status.owner != CurrentProcess.effectiveUser, let age = status.fingerprint.age, age < Self.longest,
            .now < end
        else { return false }
        Thread.rest(nanoseconds: 500_000)
        return true
    }
}
