import SystemCalls

/// The values of one suite, by key. Each key that was asked for stays open, so that a file that somebody is just writing,
/// or that holds nonsense, leaves the last good value in place.
final class DefaultsSuite: Sendable {
    let container: GroupContainer
    let lockTimeout: Duration?
    /// Guarded: the open files, by name.
    private let files = Guarded<[ExactName: GroupFile<StoredJSON?>]>([:])

    init(_ container: GroupContainer, lockTimeout: Duration? = nil) {
        self.container = container
        self.lockTimeout = lockTimeout
    }

    /// - Throws: `.invalidName` where the key is too long; `.forked`.
    func file(forKey key: String) throws(GroupFileError) -> GroupFile<StoredJSON?> {
        try GroupFileError.refuseForked()
        let name = try DefaultsKey.name(of: key)
        if let open = files.withLock({ $0[ExactName(name)] }) { return open }
        let new = try GroupFile(
            name, in: container, initialValue: nil, codec: StoredJSON.codec.optional, lockTimeout: lockTimeout,
            creates: false)
        return files.withLock { files in
            if let open = files[ExactName(name)] { return open }
            files[ExactName(name)] = new
            return new
        }
    }

    /// What the key holds at this moment; nil where it is missing, or cannot be read.
    func stored(forKey key: String) -> StoredJSON? {
        do throws(GroupFileError) {
            return try file(forKey: key).newest
        } catch {
            return nil
        }
    }

    /// Every key that holds JSON, with that.
    func all() -> [(key: String, stored: StoredJSON)] {
        let names: [String]
        do throws(GroupFileError) {
            names = try container.currentNames()
        } catch {
            return []
        }
        return names.compactMap { name in
            guard let key = DefaultsKey.key(of: name), let stored = stored(forKey: key) else { return nil }
            return (key, stored)
        }
    }
}

extension GroupFile {
    /// The value, after a look at the file: what another process has published before this call is seen.
    fileprivate var newest: T {
        get throws(GroupFileError) {
            try GroupFileError.refuseForked()
            store.followPath()
            let core = attachedCore
            // What was removed before is gone, as `read()` has it, and not only after the settle time.
            if core.read(through: nil, limit: maximumSize).content == .missing, isStillThere(core) {
                acceptOffer(isSettled: true)
            }
            return value
        }
    }
}
