/// What somebody makes for his group is not open to it until it has its permissions, nor to himself where the umask takes
/// them from him. Whoever comes in that moment has to look again, because no event tells. If the other process was killed,
/// or means it so, that ends after a quarter of a second.
package struct ConcurrentCreation {
    private static let longest: Int64 = 250_000_000

    private let wanted: UInt32
    private let end = Moment.now.advanced(byNanoseconds: Self.longest)
    /// It was found made after a refusal.
    private var wasOver = false

    /// The permissions that it will have then.
    package init(until permissions: UInt32) {
        wanted = permissions
    }

    /// Whether it should be looked at again; if so, returns after a short sleep.
    package func isUnderWay(_ status: FileStatus) -> Bool {
        // A directory that has others in it is in use, however young its last change.
        guard lacks(status), status.links <= 2, let age = status.fingerprint.age, age < Self.longest, .now < end
        else { return false }
        Thread.sleep(for: .microseconds(500))
        return true
    }

    /// Whether it keeps its group out, or its owner.
    private func lacks(_ status: FileStatus) -> Bool {
        // A directory is searched by whoever may read it.
        let wanted = status.kind == .directory ? wanted | (wanted & 0o444) >> 2 : wanted
        let missing = wanted & ~status.permissions
        let user = CurrentProcess.effectiveUser
        if status.owner != user { return missing != 0 && wanted & 0o070 != 0 }
        return missing & 0o700 != 0 && user != 0
    }

    /// Whether what was refused may succeed now. It may have been made between the refusal and the look: then once more.
    package mutating func mayHaveRefused(_ look: () throws(Errno) -> FileStatus) -> Bool {
        do throws(Errno) {
            if isUnderWay(try look()) { return true }
        } catch {}
        defer { wasOver = true }
        return !wasOver
    }
}
