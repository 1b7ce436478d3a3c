import FileEvents
@_exported public import Observables
import SystemCalls

/// A value that several processes share: a file in a container, watched and published.
///
/// ```swift
/// let radio = try GroupContainer(identifier: "group.com.example.radio")
/// let onAir = try GroupFile("is_broadcasting", in: radio, initialValue: false)
/// let subscription = onAir.sink { isOn in print(isOn ? "on air" : "off air") }
/// try onAir.write(true)
/// ```
///
/// All of it may be used from any thread. Values are delivered in the order in which they were published, no matter who
/// wrote them; intermediate ones may be skipped, the last one always arrives. The file is replaced as a whole, never
/// written in place. If another program leaves content that does not decode, or no file, that is reported only when
/// nothing has happened to the file for 50 ms, because somebody may be writing it.
public final class GroupFile<T: Codable & Sendable>: ObservableValue, StoreListener, CustomStringConvertible {
    // 1. The store leads to a *core*, which reads the file and *offers* what it holds, in order.
    // 2. An offer is *decoded* by the codec, on a library thread or the one that asks, and *accepted* if it is newer.
    // 3. What is accepted is *reported* to Observation, sinks and sequences; what has to *settle* first is reported
    //    after that.

    /// The value's name, which is also its file's name in the container.
    public let name: String
    /// The value while there is no file.
    public let initialValue: T
    /// Whether it may be changed.
    public var access: Access { options.access }
    /// What a write survives; see ``Durability``.
    public var durability: Durability { options.durability }
    /// In bytes. Longer files are not read, and longer values are not written.
    public var maximumSize: Int { options.maximumSize }
    /// How long a change waits for the lock; nil means for as long as it takes.
    public var lockTimeout: Duration? { options.lockTimeout }

    private let options: GroupFileOptions
    let codec: GroupCodec<T>
    let store: any ContentStore
    let channel: AcceptedChannel<T>
    let tracking = ValueTracking()
    let queues = CallQueues()
    /// What the core offered last. Guards itself. Its lock is taken under the core's lock, so nothing may be called
    /// under it.
    let offers: Guarded<OfferInbox>

    /// Opens the value, and creates it with `initialValue` if there is none, never over a value that another process
    /// created at the same instant. With `access: .readOnly`, here or in the container, nothing is created.
    ///
    /// Content that does not decode is not an error here: the status is then `.invalid`, and the value `initialValue`.
    ///
    /// - Parameters:
    ///   - name: One path component of at most 200 bytes, without a leading dot, `/` or control characters.
    ///   - container: Where it is stored.
    ///   - initialValue: The value if there is none, and the source of keys that are missing in the file's objects.
    ///     What is in arrays and dictionaries is taken as it is: see <doc:UpgradesWhileRunning>.
    ///   - access: `.readOnly` creates and changes nothing.
    ///   - codec: `.json`, `.text`, `.data`, or your own.
    ///   - durability: What a write survives; see ``Durability``.
    ///   - maximumSize: Bytes; longer files are invalid, longer values cannot be written.
    ///   - lockTimeout: How long a change waits while others hold the lock; nil for as long as it takes.
    /// - Throws: `.invalidName`, or why the value cannot be created; also if no descriptor, or no memory, is left to
    ///   see whether it exists.
    public convenience init(
        _ name: String, in container: GroupContainer, initialValue: T, access: Access = .readWrite,
        codec: GroupCodec<T> = .json, durability: Durability = .consistent, maximumSize: Int = 16 << 20,
        lockTimeout: Duration? = nil
    ) throws(GroupFileError) {
        let options = GroupFileOptions(
            access: access, durability: durability, maximumSize: maximumSize, lockTimeout: lockTimeout)
        try self.init(
            name, in: container, initialValue: initialValue, codec: codec, options: options, creates: true)
    }

    /// Any file by its path, whose symbolic links are followed and watched: a change replaces the target. New files and
    /// directories are shared like the directory in which they are created. Nothing is created before somebody writes.
    package convenience init(
        path: String, initialValue: T, codec: GroupCodec<T>, options: GroupFileOptions = GroupFileOptions(),
        usesNotifications: Bool = true
    ) throws(GroupFileError) {
        let name = try ValueName.ofFile(at: path)
        let directory: String
        do throws(Errno) {
            directory = try Path.absolute(Path.beforeLastSlash(path).map { $0 + "/" } ?? ".")
        } catch {
            throw GroupFileError(error, reaching: path, "find the current directory")
        }
        try GroupFileError.refuseForked()
        let store = DirectoryStore.shared(
            path: directory, leaf: name, sharing: nil, usesNotifications: usesNotifications)
        self.init(name, store: store, initialValue: initialValue, codec: codec, options: options)
    }

    /// Opens the value, and creates nothing.
    init(
        _ name: String, store: any ContentStore, initialValue: T, codec: GroupCodec<T>, options: GroupFileOptions
    ) {
        self.name = name
        self.store = store
        self.initialValue = initialValue
        self.codec = codec
        self.options = options
        channel = AcceptedChannel(AcceptedState(initialValue, AcceptedFacts()))
        offers = Guarded(OfferInbox(.unattached))
        store.add(self)
        healthChanged()
        acceptOffer(isForced: true)
    }

    deinit {
        // In a forked child the locks may stay locked for ever.
        if CurrentProcess.isForked { return }
        attachedCore.remove(ObjectIdentifier(self))
        store.remove(ObjectIdentifier(self))
    }

    // MARK: Reading

    /// The newest value, from memory: never touches the disk. New content that is not yet decoded is decoded here, on
    /// the caller's thread.
    public var value: T {
        tracking.access()
        return accepted.value
    }

    /// Whether the value is what the file holds.
    public var status: GroupFileStatus {
        tracking.access()
        return accepted.status
    }

    /// How changes are detected, from memory.
    public var health: GroupFileHealth {
        tracking.access()
        ThreadPool.shared.makeMissingSupervisor()
        return GroupFileHealth(channel.current.health)
    }

    /// The path of the value's file. It follows the directory that the container's path leads to.
    public var path: String { attachedCore.file.path }

    /// Its type and path, as in `GroupFile<Int>(/path/to/file)`.
    public var description: String { "GroupFile<\(T.self)>(\(path))" }

    /// The core to which it is attached now.
    var attachedCore: FileCore { offers.withLock(\.core) }

    /// The state that was accepted last. An offer that no library thread has decoded yet is decoded here.
    var accepted: AcceptedState<T> {
        ThreadPool.shared.makeMissingSupervisor()
        acceptOffer(isForced: false)
        return channel.current
    }
}
