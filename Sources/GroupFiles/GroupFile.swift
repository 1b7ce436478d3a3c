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
/// All of it may be used from any thread. Values come in the order in which they were published, whoever wrote them;
/// those in between may be skipped, the last one always arrives. The file is replaced as a whole, never written in place.
///
/// 1. The store leads to a *core*, which reads the file and *offers* what it holds, in order.
/// 2. An offer is *decoded* by the codec, on a thread of the library or the one that asks, and *accepted* if it is newer.
/// 3. What is accepted is *told*: to Observation, sinks and sequences. A content that is no value, or is missing, has to
///    be *settled* first: for 50 ms nothing happened to the file.
public final class GroupFile<T: Codable & Sendable>: ObservableValue, StoreListener {
    /// The value's name: the file's, in the container.
    public let name: String
    /// What the value is where there is no file.
    public let initialValue: T
    /// Whether it may be changed.
    public let access: Access
    /// What a write survives.
    public let durability: Durability
    /// Files with more bytes are not read.
    public let maximumSize: Int
    /// How long changing waits for the lock; nil for ever.
    public let lockTimeout: Duration?

    let codec: GroupCodec<T>
    let store: any ContentStore
    let channel: ObjectChannel<AcceptedState<T>>
    private let tracking = ValueTracking()
    let turns = TaskTurns()
    /// What the core offered last. Guards itself; taken under the core's lock, so nothing is called under it.
    private let raw: Guarded<Offers>

    /// Opens the value, and makes it with `initialValue` where there is none, never over a value that another process
    /// made at the same instant. With `access: .readOnly`, here or in the container, nothing is made.
    ///
    /// What does not decode is no error here: the status is then `.invalid`, and the value `initialValue`.
    ///
    /// - Parameters:
    ///   - name: One path component of at most 200 bytes, without leading dot, `/` and control characters.
    ///   - container: Where it lies.
    ///   - initialValue: What the value is where there is none, and what keys have that are missing in it.
    ///   - access: `.readOnly` makes and changes nothing.
    ///   - codec: `.json`, `.text`, `.data`, or your own.
    ///   - durability: What a write outlives.
    ///   - maximumSize: Bytes; longer files are invalid, longer values cannot be written.
    ///   - lockTimeout: How long changing waits while others hold the lock; nil for as long as it takes.
    /// - Throws: `.invalidName`, or why the value cannot be made; also where there is no descriptor, or no memory, to see
    ///   whether it is there.
    public convenience init(
        _ name: String, in container: GroupContainer, initialValue: T, access: Access = .readWrite,
        codec: GroupCodec<T> = .json, durability: Durability = .consistent, maximumSize: Int = 16 << 20,
        lockTimeout: Duration? = nil
    ) throws(GroupFileError) {
        try ValueName.check(name, "value's name")
        try self.init(
            name, store: container.store, initialValue: initialValue,
            access: container.access == .readOnly ? .readOnly : access, codec: codec, durability: durability,
            maximumSize: maximumSize, lockTimeout: lockTimeout, creates: true)
    }

    /// Any file by its path, whose symbolic links are followed and watched: a change replaces the target.
    ///
    /// - Parameter creates: makes the file where it is missing.
    package convenience init(
        path: String, initialValue: T, access: Access, codec: GroupCodec<T>, durability: Durability = .consistent,
        maximumSize: Int = 16 << 20, lockTimeout: Duration? = nil, creates: Bool, usesNotifications: Bool = true
    ) throws(GroupFileError) {
        let name = Path.afterLastSlash(path)
        if name.isEmpty || name == "." || name == ".." || path.utf8.contains(0) {
            throw GroupFileError(.invalidName, path: path, "it names a directory; name a file in it")
        }
        let directory: String
        do throws(Errno) {
            directory = try Path.absolute(Path.beforeLastSlash(path).map { $0 + "/" } ?? ".")
        } catch {
            throw GroupFileError(error, path: path, "find the current directory")
        }
        try self.init(
            name,
            store: DirectoryStore.shared(
                path: directory, leaf: name, sharing: .owner, usesNotifications: usesNotifications),
            initialValue: initialValue, access: access, codec: codec, durability: durability, maximumSize: maximumSize,
            lockTimeout: lockTimeout, creates: creates)
    }

    convenience init(
        _ name: String, store: any ContentStore, initialValue: T, access: Access, codec: GroupCodec<T>,
        durability: Durability, maximumSize: Int, lockTimeout: Duration?, creates: Bool
    ) throws(GroupFileError) {
        CurrentProcess.watchForFork()
        try GroupFileError.refuseForked()
        self.init(
            name, store: store, initialValue: initialValue, access: access, codec: codec, durability: durability,
            maximumSize: maximumSize, lockTimeout: lockTimeout)
        if creates, access == .readWrite, mayBeMissing { try create() }
    }

    /// Opens what is there, and makes nothing.
    init(
        _ name: String, store: any ContentStore, initialValue: T, access: Access, codec: GroupCodec<T>,
        durability: Durability, maximumSize: Int, lockTimeout: Duration?
    ) {
        self.name = name
        self.store = store
        self.initialValue = initialValue
        self.access = access
        self.codec = codec
        self.durability = durability
        self.maximumSize = maximumSize
        self.lockTimeout = lockTimeout
        channel = ObjectChannel(AcceptedState(initialValue, AcceptedFacts()))
        raw = Guarded(Offers(.unattached))
        store.add(self)
        healthChanged()
        acceptOffer(isSettled: true)
    }

    deinit {
        attachedCore.remove(ObjectIdentifier(self))
        store.remove(ObjectIdentifier(self), name: name)
    }

    // MARK: Reading

    /// The newest value, from memory: never touches the disk.
    public var value: T {
        tracking.access()
        return accepted.value
    }

    /// Whether the value is what the file holds.
    public var status: GroupFileStatus {
        tracking.access()
        return accepted.status
    }

    /// How changes come to be known.
    public var health: GroupFileHealth {
        tracking.access()
        EventLoop.shared.makeMissingThreads()
        return GroupFileHealth(store.health)
    }

    /// Where the value lies.
    public var path: String { attachedCore.file.path }

    /// Where it is attached now.
    var attachedCore: FileCore { raw.withLock(\.core) }

    /// What was accepted, and what is decoded here because no thread of the library has come to it yet.
    var accepted: AcceptedState<T> {
        EventLoop.shared.makeMissingThreads()
        acceptOffer(isSettled: false)
        return channel.current
    }

    /// Also where it could not be looked at for want of something that comes back by itself.
    private var mayBeMissing: Bool {
        switch channel.current.status {
        case .missing: true
        case .invalid(let error): error.errno.map { Errno(rawValue: $0).isShortage } ?? false
        case .current: false
        }
    }

    // MARK: The core's side

    func attach(to core: FileCore) {
        let old = raw.withLock { raw in
            defer { raw.core = core }
            return raw.core
        }
        if old === core { return }
        old.remove(ObjectIdentifier(self))
        core.add(self)
    }

    func offer(_ publication: Publication, from core: FileCore) -> Bool {
        raw.withLock { raw in
            guard raw.take(publication, from: core), !raw.hasJob else { return false }
            raw.hasJob = true
            return true
        }
    }

    func take(_ publication: Publication, from core: FileCore) {
        _ = raw.withLock { $0.take(publication, from: core) }
    }

    func healthChanged() {
        var health: WatchHealth
        // Two threads may be at this: whoever was the last to publish sees to it that it was the newest.
        repeat {
            health = store.health
            publish { old in
                if old.health == health { return nil }
                var facts = old.facts
                facts.health = health
                return AcceptedState(old.value, facts)
            }
        } while store.health != health
    }

    func acceptOffer() {
        // First: what is offered from here on may be too late for this job.
        raw.withLock { $0.hasJob = false }
        acceptOffer(isSettled: false, isJob: true)
    }

    func acceptOffer(isSettled: Bool) { acceptOffer(isSettled: isSettled, isJob: false) }

    /// Decodes the newest offer and accepts it, if that has not been done. `isSettled`: whatever it is, it counts.
    /// `isJob`: this is a job of the loop, which may call a handler.
    private func acceptOffer(isSettled: Bool, isJob: Bool) {
        let newest = raw.withLock { raw -> (offer: Offers.Offer, core: FileCore)? in
            guard let offer = raw.offer, isSettled || offer.order > raw.handledOrder else { return nil }
            return (offer, raw.core)
        }
        guard let (offer, core) = newest else { return }
        // A codec that reads the value which it decodes would be called again and again until the stack ends.
        if !isSettled, CodecScope.isNested { return }
        let isForced = isSettled && !offer.publication.isSettled
        let isSettled = isSettled || offer.publication.isSettled
        let content = offer.publication.content
        do throws(NoValue) {
            let value = try decode(content)
            accept(offer.order, isOwn: offer.publication.isOwn, isJob: isJob) { facts, _ in
                facts.content = content
                facts.status = .current
                facts.invalidContent = nil
                return value
            }
        } catch {
            switch error {
            case .missing where isSettled:
                accept(offer.order, isOwn: offer.publication.isOwn, isJob: isJob) { facts, _ in
                    facts.content = .missing
                    facts.status = .missing
                    facts.invalidContent = nil
                    return initialValue
                }
            case .invalid(let error) where isSettled:
                accept(offer.order, isOwn: offer.publication.isOwn, isJob: isJob) { facts, old in
                    facts.status = .invalid(error)
                    // A failure is told when its writer is surely done.
                    facts.invalidContent = isForced ? nil : content
                    return old
                }
                if isForced { core.settle(offer.publication.number) }
            default:
                raw.withLock { $0.handledOrder = max($0.handledOrder, offer.order) }
                core.settle(offer.publication.number)
            }
        }
    }

    /// The own value that `core` just published as `number`: it need not be decoded.
    func acceptOwn(_ value: T, _ encoding: Encoding, number: UInt64, from core: FileCore) {
        let order = raw.withLock { raw -> UInt64? in
            // Where the directory was exchanged meanwhile, the write is repeated in the new one.
            guard raw.core === core, let offer = raw.offer else { return nil }
            if offer.publication.number == number { return offer.order }
            // Something newer was offered meanwhile, after ours.
            return offer.order - 1
        }
        guard let order else { return }
        accept(order, isOwn: true) { facts, _ in
            facts.content = .bytes(encoding.bytes)
            facts.isOwnAlone = !encoding.hasUnknown
            facts.status = .current
            facts.invalidContent = nil
            return value
        }
    }

    private func accept(
        _ order: UInt64, isOwn: Bool, isJob: Bool = false, _ change: (inout AcceptedFacts, _ old: T) -> T
    ) {
        publish(isJob: isJob) { old in
            guard order > old.order else { return nil }
            var facts = old.facts
            facts.order = order
            facts.isOwn = isOwn
            facts.isOwnAlone = false
            let value = change(&facts, old.value)
            return AcceptedState(value, facts)
        } then: {
            // Only now: who finds it handled relies on what is accepted.
            raw.withLock { $0.handledOrder = max($0.handledOrder, order) }
        }
    }

    private func publish(
        isJob: Bool = false, _ change: (AcceptedState<T>) -> AcceptedState<T>?, then: () -> Void = {}
    ) {
        let ready = channel.publish(update: change)
        then()
        guard let ready else { return }
        // By a job: whoever publishes may hold the value's lock, which a tracking handler may want, or read the events.
        if tracking.wantsNotify() { EventLoop.shared.execute { [self] in tracking.notify() } }
        if isJob { ready.runOnExecutor() } else { ready.run() }
    }
}
