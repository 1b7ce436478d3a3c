/// A value of a group as a property: like `@AppStorage`, for any type and across processes.
///
/// ```swift
/// final class Game {
///     @GroupValue("luckyNumber", group: "group.com.example.radio") var luckyNumber = 0
/// }
///
/// let game = Game()
/// game.luckyNumber = 7  // published when it returns
/// try await game.$luckyNumber.update { $0 += 1 }  // no increment is lost
/// for await number in game.$luckyNumber.values { print(number) }
/// ```
///
/// Reading gives the newest value, whoever wrote it, even after a set through the same property; once a set has
/// returned, all wrappers of the value in the process have it, or something newer. Nothing is created until a value is
/// set; a missing one reads as the default.
/// `luckyNumber += 1` is a read and a write, and others may write in between: count with `update`.
///
/// The initialiser never throws. If the file cannot be opened, the `status` of `$luckyNumber` is `.invalid`, reads
/// return the default, and each use tries again. A set that fails leaves the value as it was, and is reported through
/// `$luckyNumber.failures`; `try $luckyNumber.write(7)` throws instead.
///
/// A set changes the file, not the variable that holds the property, so a structure with such a property can be a
/// `let`. A set waits for the value's lock and for the disk: on the main thread, pass `lockTimeout:` or write
/// asynchronously. In an `@Observable` class, put `@ObservationIgnored` before it; observation works through the file.
/// As a `static var` it compiles in a type that is isolated to an actor as a whole, as in
/// `@MainActor enum Preferences`; elsewhere make it a `static let` of type `GroupValue`.
@propertyWrapper
public struct GroupValue<Value: Codable & Sendable>: Sendable {
    private let file: GroupFile<Value>
    /// The store, if the file could not be opened at first.
    private let deferred: DeferredStore?

    /// A value of a group, by its identifier.
    ///
    /// - Parameters:
    ///   - wrappedValue: The property's value while there is no file.
    ///   - name: The value's name; see ``GroupFile``.
    ///   - group: See `GroupContainer(identifier:)`. The first set creates its directory, for its owner alone. If it
    ///     exists and is shared with its Unix group (mode 2770), so are the files.
    ///   - codec: How it is encoded and decoded.
    ///   - durability: What a set survives.
    ///   - maximumSize: Bytes; longer files are invalid, longer values cannot be set.
    ///   - lockTimeout: How long a set waits while others hold the lock; nil for as long as it takes.
    public init(
        wrappedValue: Value, _ name: String, group: String, codec: GroupCodec<Value> = .json,
        durability: Durability = .consistent, maximumSize: Int = 16 << 20, lockTimeout: Duration? = nil
    ) {
        let store = Self.store(of: name) { () throws(GroupFileError) in try GroupContainer(unmade: group) }
        let options = GroupFileOptions(
            durability: durability, maximumSize: maximumSize, lockTimeout: lockTimeout)
        self.init(GroupFile(name, store: store, initialValue: wrappedValue, codec: codec, options: options))
    }

    /// A value in an existing container, such as one in memory.
    ///
    /// - Parameters:
    ///   - wrappedValue: The property's value while there is no file.
    ///   - name: The value's name; see ``GroupFile``.
    ///   - container: Where it is stored. If that was opened with `access: .readOnly`, every set fails.
    ///   - codec: How it is encoded and decoded.
    ///   - durability: What a set survives.
    ///   - maximumSize: Bytes; longer files are invalid, longer values cannot be set.
    ///   - lockTimeout: How long a set waits while others hold the lock; nil for as long as it takes.
    public init(
        wrappedValue: Value, _ name: String, in container: GroupContainer, codec: GroupCodec<Value> = .json,
        durability: Durability = .consistent, maximumSize: Int = 16 << 20, lockTimeout: Duration? = nil
    ) {
        let store = Self.store(of: name) { container }
        let options = GroupFileOptions(
            access: container.access, durability: durability, maximumSize: maximumSize, lockTimeout: lockTimeout)
        self.init(GroupFile(name, store: store, initialValue: wrappedValue, codec: codec, options: options))
    }

    private init(_ file: GroupFile<Value>) {
        self.file = file
        deferred = file.store as? DeferredStore
    }

    /// The store that holds the value; if it cannot be opened, a stand-in that tries again.
    private static func store(
        of name: String, in container: @escaping @Sendable () throws(GroupFileError) -> GroupContainer
    ) -> any ContentStore {
        let open = { @Sendable () throws(GroupFileError) -> any ContentStore in
            try GroupFileError.refuseForked()
            try ValueName.check(name)
            return try container().store
        }
        do throws(GroupFileError) {
            return try open()
        } catch {
            return DeferredStore(error, open: open)
        }
    }

    /// The newest value. Setting it publishes it, and returns when that is done; see the type for what happens if that
    /// fails.
    public var wrappedValue: Value {
        get { projectedValue.value }
        nonmutating set { projectedValue.set(newValue) }
    }

    /// The value's file: to observe it, to update it, and to see what went wrong.
    public var projectedValue: GroupFile<Value> {
        deferred?.tryToOpen()
        return file
    }
}

extension GroupValue where Value: ExpressibleByNilLiteral {
    /// A value of a group that is nil if there is none. Setting nil stores `null`; `remove()` of the projected value,
    /// as in `try $name.remove()`, removes the file.
    public init(
        _ name: String, group: String, codec: GroupCodec<Value> = .json, durability: Durability = .consistent,
        maximumSize: Int = 16 << 20, lockTimeout: Duration? = nil
    ) {
        self.init(
            wrappedValue: nil, name, group: group, codec: codec, durability: durability, maximumSize: maximumSize,
            lockTimeout: lockTimeout)
    }

    /// A value in a container that is nil if there is none. Setting nil stores `null`; `remove()` of the projected
    /// value removes the file.
    public init(
        _ name: String, in container: GroupContainer, codec: GroupCodec<Value> = .json,
        durability: Durability = .consistent, maximumSize: Int = 16 << 20, lockTimeout: Duration? = nil
    ) {
        self.init(
            wrappedValue: nil, name, in: container, codec: codec, durability: durability, maximumSize: maximumSize,
            lockTimeout: lockTimeout)
    }
}

extension GroupFile {
    /// Writes the value; an error is reported through `failures`.
    fileprivate func set(_ value: T) {
        do throws(GroupFileError) {
            try write(value)
            if !channel.current.facts.failedSets.isEmpty { report(nil) }
        } catch {
            // In a forked child nobody is left to tell, and the channel's lock may be held for ever.
            if error.code != .forked { report(error) }
        }
    }

    private func report(_ error: GroupFileError?) {
        channel.publish { old in
            old.changed { facts, value in
                facts.noteSet(error)
                return value
            }
        }?.run()
    }
}
