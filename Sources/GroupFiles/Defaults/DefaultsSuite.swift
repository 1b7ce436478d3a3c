import SystemCalls

/// The values of one suite, by key. The file of each key that has a value stays open, so that a file that somebody is
/// writing just now, or that does not decode, leaves the last good value in place. Of the keys without a value only
/// some stay open, because a program may look up a new key with every message.
final class DefaultsSuite: Sendable {
    private struct State {
        var files: [ExactName: GroupFile<StoredJSON?>] = [:]
        /// With more files than this, those without a value are closed.
        var room = leastRoom
    }

    private static let leastRoom = 128
    /// Bytes.
    static let maximumSize = 16 << 20

    let container: GroupContainer
    let lockTimeout: Duration?
    /// Guards the open files, by name.
    private let state = Guarded(State())

    init(_ container: GroupContainer, lockTimeout: Duration? = nil) {
        self.container = container
        self.lockTimeout = lockTimeout
    }

    /// - Throws: `.invalidName` where the key is too long; `.forked`.
    func file(forKey key: String) throws(GroupFileError) -> GroupFile<StoredJSON?> {
        try GroupFileError.refuseForked()
        let name = ExactName(try DefaultsKey.name(of: key))
        if let open = state.withLock({ $0.files[name] }) { return open }
        let new = try GroupFile(
            name.text, in: container, initialValue: nil, codec: StoredJSON.codec.optional,
            options: GroupFileOptions(maximumSize: Self.maximumSize, lockTimeout: lockTimeout), creates: false)
        let (file, isFull) = state.withLock { state in
            if let open = state.files[name] { return (open, false) }
            state.files[name] = new
            return (new, state.files.count > state.room)
        }
        if isFull { closeThoseWithoutValue() }
        return file
    }

    /// Between two calls at least as many files are opened as stay open, so each call costs little per file.
    private func closeThoseWithoutValue() {
        let without = state.withLock(\.files).filter { $0.value.accepted.value == nil }
        // They are closed outside of the lock, when `without` is released.
        state.withLock { state in
            for (name, file) in without where state.files[name] === file { state.files[name] = nil }
            state.room = max(Self.leastRoom, 2 * state.files.count)
        }
    }

    /// What the key holds at this moment; nil if it is missing, or cannot be read.
    func stored(forKey key: String) -> StoredJSON? {
        do throws(GroupFileError) {
            return try file(forKey: key).newest
        } catch {
            return nil
        }
    }

    /// Every key that holds JSON, with its content.
    func all() -> [(key: String, stored: StoredJSON)] {
        let names: [String]
        do throws(GroupFileError) {
            names = try container.currentNames()
        } catch {
            // As when a single key is looked up, the last good values stay if nothing can be looked at.
            names = state.withLock(\.files).keys.map(\.text).sorted()
        }
        return names.compactMap { name in
            guard let key = DefaultsKey.key(of: name) else { return nil }
            if let stored = stored(forKey: key) { return (key, stored) }
            close(ExactName(name))
            return nil
        }
    }

    /// Closes the file of that name, unless it has a value by now. A file without one, such as a picture beside the
    /// keys, would otherwise stay in memory, and be read again whenever it changes.
    private func close(_ name: ExactName) {
        guard let file = state.withLock(\.files)[name], file.accepted.value == nil else { return }
        // Closed outside of the lock, when `file` is released.
        state.withLock { state in
            if state.files[name] === file { state.files[name] = nil }
        }
    }
}

extension GroupFile {
    /// The value after a look at the file, so that it includes what another process published before this call.
    fileprivate var newest: T {
        get throws(GroupFileError) {
            try GroupFileError.refuseForked()
            store.followPath()
            let core = attachedCore
            // A value that was removed before this is missing at once, as in `read()`, not only after the settle time.
            if core.read(limit: maximumSize).content == .missing, isStillThere(core) {
                acceptOffer(isForced: true)
            }
            return value
        }
    }
}
