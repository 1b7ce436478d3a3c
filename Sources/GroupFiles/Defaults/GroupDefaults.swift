import Observables
import SystemCalls

/// Preferences that several programs share: `UserDefaults(suiteName:)`, made observable across processes.
///
/// ```swift
/// let defaults = try GroupDefaults(suiteName: "group.com.example.radio")
/// try defaults.set(7, forKey: "luckyNumber")
/// print(defaults.integer(forKey: "luckyNumber"))
/// for await number in defaults.observe("luckyNumber", as: Int.self).values { print(number ?? 0) }
/// ```
///
/// Each key is a value of the group, in a file of its own: `watch-value -g group.com.example.radio watch luckyNumber`
/// follows it, a ``GroupFile`` of that name is the same value, and two processes that set different keys never touch
/// each other's. The file has the key's name, except that `/`, `%`, control characters and a leading dot are written as
/// `%2F` and so on; the empty key is `%`. A key that takes more than 200 bytes when written so cannot be set; only a
/// registered default is found for it.
///
/// Reading creates nothing. Each read checks the file, so that it sees whatever any process has published before. A key
/// is looked up in this suite, then in the added suites, in the order in which they were added, then among the defaults
/// that are registered for these suites, in the same order. A file that does not hold JSON leaves the last good value
/// of its key in place, if this object has seen one; else the key is missing. All of it may be used from any thread.
public final class GroupDefaults: Sendable {
    let own: DefaultsSuite
    /// Searched after this suite, in this order. Guarded by its lock.
    private let added = Guarded<[(name: ExactName, suite: DefaultsSuite)]>([])
    /// Published when the suites to search change.
    let search = Channel(())

    /// The defaults of a group. The first `set` creates the group's directory, for its owner alone. If it exists and is
    /// shared with its Unix group (mode 2770), so are the files.
    ///
    /// - Parameters:
    ///   - suiteName: The group's identifier, as for `GroupContainer(identifier:)`.
    ///   - lockTimeout: How long setting or removing a key waits while others hold its lock; nil for as long as it
    ///     takes.
    /// - Throws: `.invalidName`; `.noContainers`, or `.system`, if it cannot be told where the directory is; `.forked`.
    public convenience init(suiteName: String, lockTimeout: Duration? = nil) throws(GroupFileError) {
        self.init(container: try GroupContainer(unmade: suiteName, "suite's name"), lockTimeout: lockTimeout)
    }

    /// The values of any container as defaults, such as one in memory for tests.
    ///
    /// - Parameters:
    ///   - container: Where they are stored.
    ///   - lockTimeout: How long setting or removing a key waits while others hold its lock; nil for as long as it
    ///     takes.
    public init(container: GroupContainer, lockTimeout: Duration? = nil) {
        own = DefaultsSuite(container, lockTimeout: lockTimeout)
    }

    // MARK: Writing

    /// Sets a key to any value that can be encoded as JSON; nil removes it. Waits for the key's lock, which others may
    /// hold for as long as an update of theirs takes (see `lockTimeout`), and returns when the value is published.
    ///
    /// - Throws: `.invalidName`, which names the key, if it is too long; `.unencodable`; `.tooLarge`, with more than
    ///   16 MiB; `.timedOut`; or why it cannot be written. The old value then stays.
    public func set<T: Codable & Sendable>(_ value: T, forKey key: String) throws(GroupFileError) {
        // If T is generic in the caller, nil arrives here, too.
        if (value as? any OptionalValue)?.isNil == true { return try removeObject(forKey: key) }
        try write(key) { try StoredJSON(value) }
    }

    /// Sets a key; nil removes it.
    ///
    /// - Throws: As the other `set`.
    public func set<T: Codable & Sendable>(_ value: T?, forKey key: String) throws(GroupFileError) {
        if let value { try set(value, forKey: key) } else { try removeObject(forKey: key) }
    }

    /// Sets a key to an array whose elements are of several types, each Encodable, or an array or dictionary of these.
    /// Numbers and other values in Foundation's classes, as they come from `JSONSerialization`, are accepted, too.
    ///
    /// - Throws: As the other `set`.
    @_disfavoredOverload  // Otherwise `[0.5, 1]` would hold a Double and an Int.
    public func set(_ value: [Any], forKey key: String) throws(GroupFileError) {
        try write(key) { try StoredJSON(any: value) }
    }

    /// Sets a key to a dictionary whose values are of several types, each Encodable, or an array or dictionary of
    /// these. Values in Foundation's classes are accepted as in an array.
    ///
    /// - Throws: As the other `set`.
    @_disfavoredOverload
    public func set(_ value: [String: Any], forKey key: String) throws(GroupFileError) {
        try write(key) { try StoredJSON(any: value) }
    }

    /// `set(nil, forKey:)` removes the key.
    ///
    /// - Throws: An error that says why it cannot be removed.
    public func set(_ nothing: Never?, forKey key: String) throws(GroupFileError) {
        try removeObject(forKey: key)
    }

    /// Removes a key from this suite; it may still be found in an added one, or among the registered defaults.
    ///
    /// - Throws: An error that says why it cannot be removed; `.forked`. Nothing happens if it is not set.
    public func removeObject(forKey key: String) throws(GroupFileError) {
        try own.file(forKey: key).remove()
    }

    /// Migrates values kept elsewhere: sets each key for which there is no file yet, and overwrites no file, even if it
    /// holds null. The source stays as it was: remove the values there, or a key that is removed here comes back with
    /// the next call. It takes what ``register(defaults:)`` takes; nil is no value.
    ///
    /// - Throws: `.readOnly`; `.invalidName`, `.unencodable` or `.tooLarge`, which name the key, before any key is
    ///   migrated; or why a key cannot be looked up or written: the keys before it in sorted order have then been
    ///   migrated. If a key's existing file holds no value, or cannot be read, that error is thrown once all other keys
    ///   have been migrated.
    public func adopt(_ values: [String: Any]) throws(GroupFileError) {
        try GroupFileError.refuseForked()
        if own.container.access == .readOnly { throw .readOnly(own.container.path) }
        var adopted: [(name: String, value: StoredJSON)] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let name = try DefaultsKey.name(of: key)
            let stored = try encode(key) { try StoredJSON(any: value) }
            if stored != .null { adopted.append((name, stored)) }
        }
        var unread: GroupFileError?
        for (name, value) in adopted {
            // Creates the file if it is missing; if several processes do so at the same instant, the first one wins.
            let file = try GroupFile(
                name, in: own.container, initialValue: value, codec: StoredJSON.codec, lockTimeout: own.lockTimeout)
            // If nobody could see whether the key is set, nothing was created.
            if let unseen = file.unseen { throw unseen }
            do throws(GroupFileError) { try file.read() } catch { unread = unread ?? error }
        }
        // Otherwise the caller would remove the only copy.
        if let unread { throw unread }
    }

    private func write(_ key: String, _ make: () throws -> StoredJSON) throws(GroupFileError) {
        let file = try own.file(forKey: key)
        try file.write(try encode(key, make))
    }

    private func encode(_ key: String, _ make: () throws -> StoredJSON) throws(GroupFileError) -> StoredJSON {
        let subject = "the value for the key \"\(ValueName.printable(key))\""
        let stored: StoredJSON
        do {
            stored = try make()
        } catch {
            throw .unencodable(
                error, path: own.container.path, subject,
                advice: "set one that can be written as JSON; what was there stays")
        }
        if stored.bytes.count > DefaultsSuite.maximumSize {
            throw GroupFileError(
                .tooLarge, path: own.container.path,
                "\(subject) takes \(stored.bytes.count) bytes; \(DefaultsSuite.maximumSize) are allowed",
                callerAdvice: "keep it in a GroupFile with a larger maximumSize; what was there stays")
        }
        return stored
    }

    // MARK: Where keys are looked for

    /// Registers default values for keys that are not set anywhere. They hold for all objects of this suite in this
    /// process that were opened by the same name or path, until the process ends. Nothing is written; earlier
    /// registrations stay unless their key is registered again.
    ///
    /// - Parameter defaults: Values that are Encodable, or that come from a property list or `JSONSerialization`, or
    ///   arrays and dictionaries of these. Others, and null, are left out, and whatever was registered for their keys
    ///   before is dropped.
    public func register(defaults: [String: Any]) {
        var registered: [ExactName: StoredJSON?] = [:]
        for (key, value) in defaults {
            do {
                let stored = try StoredJSON(any: value)
                // Null is not a value, and must not hide one that is registered for an added suite.
                registered.updateValue(stored == .null ? nil : stored, forKey: ExactName(key))
            } catch {
                registered.updateValue(nil, forKey: ExactName(key))
            }
        }
        RegisteredDefaults.shared.register(registered, for: own.container)
    }

    /// Looks for keys in another suite, too, after the existing ones. Nothing is ever written there.
    ///
    /// - Throws: `.invalidName`; `.noContainers`, or `.system`, if it cannot be told where the directory is; `.forked`.
    public func addSuite(named suiteName: String) throws(GroupFileError) {
        addSuite(named: suiteName, try GroupContainer(unmade: suiteName, "suite's name"))
    }

    func addSuite(named suiteName: String, _ container: GroupContainer) {
        let name = ExactName(suiteName)
        let suite = DefaultsSuite(container)
        added.withLock { added in
            if !added.contains(where: { $0.name == name }) { added.append((name, suite)) }
        }
        search.publish(()).run()
    }

    /// Stops looking in that suite. Nothing happens if it was not added.
    public func removeSuite(named suiteName: String) {
        let name = ExactName(suiteName)
        // Returned, so that the suites are released outside of the lock.
        let removed = added.withLock { added in
            let removed = added.filter { $0.name == name }
            added.removeAll { $0.name == name }
            return removed
        }
        if !removed.isEmpty { search.publish(()).run() }
    }

    /// The suites in which keys are looked for, in order.
    var suites: [DefaultsSuite] { added.withLock { [own] + $0.map(\.suite) } }

    /// What is registered for a key, in whichever suite.
    func registered(forKey key: String) -> StoredJSON? {
        for suite in suites {
            if let stored = RegisteredDefaults.shared.values(for: suite.container)[ExactName(key)] { return stored }
        }
        return nil
    }

    func stored(forKey key: String) -> StoredJSON? {
        for suite in suites {
            if let stored = suite.stored(forKey: key) { return stored }
        }
        return registered(forKey: key)
    }
}
