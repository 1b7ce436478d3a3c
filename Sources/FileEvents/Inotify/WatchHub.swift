import SystemCalls

/// The one inotify descriptor of the process, and who watches what with it.
///
/// 1. A client *adds* directories; two clients of one directory share a watch, whose mask is the union of what they want.
/// 2. The reader *reads* a batch, in a storm after a *rest*, and *routes* it: to each client what its watches told of
///    the names that it wants.
/// 3. A client *keeps* what it still wants; masks shrink, and watches that nobody wants are removed.
/// 4. Removing the last one wakes the reader, which *ends*, and closes the descriptor.
final class WatchHub: Sendable {
    static let shared = WatchHub()

    /// Who wants what, and who is told of it: decides, and leaves the acting to the hub.
    struct State {
        /// The descriptor, while anything is watched.
        var source: InotifySource?
        var nodes: [Int32: WatchNode] = [:] {
            didSet { recent = nil }
        }
        /// A watch of one client alone, as it was found last: most events are of the watch of those before.
        private var recent: (watch: Int32, client: any WatchClient)?
        /// What is to be done once everything was routed that had happened before; by the watch that stands for the place.
        var barriers: [Int32: ThreadPool.Job] = [:]
        /// Who is told nothing yet of what happened before a place in the queue; by the watch that stands for it.
        var newcomers: [ObjectIdentifier: Int32] = [:]

        var hasMountLook = false
        var nextMountLook = Moment(nanoseconds: 0)

        /// Who is told what of these events. What they say of the hub's own watches is taken note of.
        mutating func deliveries(of events: [InotifyEvent]) -> Deliveries {
            if newcomers.isEmpty, let audience = audience(of: events) { return audience }
            var batches = EventBatches()
            var passed: [ThreadPool.Job] = []
            var lostEvents = false
            for event in events {
                if event.mask.contains(.overflow) {
                    lostEvents = true
                    newcomers = [:]
                    continue
                }
                if let action = barriers.removeValue(forKey: event.watch) { passed.append(action) }
                for client in nodes[event.watch]?.clients(of: event.name) ?? []
                where newcomers[ObjectIdentifier(client)] == nil {
                    batches.append(event, for: client)
                }
                if event.mask.contains(.ignored) {
                    nodes[event.watch] = nil
                    newcomers = newcomers.filter { $0.value != event.watch }
                }
            }
            if lostEvents {
                passed += barriers.values
                barriers = [:]
                for client in clients { batches.append(nil, for: client) }
            }
            return .each(batches, lostEvents: lostEvents, passed: passed)
        }

        /// Who gets all of these events, where they are of one watch, and do not concern the hub itself.
        private mutating func audience(of events: [InotifyEvent]) -> Deliveries? {
            guard let watch = events.first?.watch else { return nil }
            for event in events where event.watch != watch || !event.mask.isDisjoint(with: .hubChanged) { return nil }
            if let recent, recent.watch == watch { return .all(to: recent.client) }
            if let client = nodes[watch]?.only {
                recent = (watch, client)
                return .all(to: client)
            }
            return nodes[watch]?.clients(ofAll: events).map(Deliveries.allToEach)
        }

        /// Of each node: whoever has several is among them several times.
        var clients: [any WatchClient] {
            mutating get { nodes.keys.flatMap { nodes[$0]?.clients ?? [] } }
        }
    }

    enum Deliveries {
        /// Everything as it came, most often.
        case all(to: any WatchClient)
        case allToEach([any WatchClient])
        case each(EventBatches, lostEvents: Bool, passed: [ThreadPool.Job])
    }

    /// Guards everything. Under it the kernel is asked, so that its answers are noted in their order: inotify_add_watch
    /// follows a path, and while a file system on that does not answer, everybody waits. And the pool is given what it is to
    /// read or to run, under a lock of its own: the pool calls nobody who would want this one.
    private let state = Guarded(State())

    private init() {}

    /// Watches a directory, and not what a link in its place leads to, for `client`, beside what was added before; what
    /// happens from now on is reported. `isNew` where some of it was not reported to the client until now.
    func add(
        _ path: String, _ wanted: WatchInterest, for client: any WatchClient
    ) throws(Errno) -> (watch: Int32, isNew: Bool) {
        // A child that was forked has its parent's descriptor, and would change what the parent is told.
        if CurrentProcess.isForked { throw .notSupported }
        return try state.withLock { state throws(Errno) in
            let source: InotifySource
            let opensSource = state.source == nil
            if let running = state.source { source = running } else { source = try InotifySource(hub: self) }
            let watch = try source.inotify.add(path, mask: [wanted.mask, .onlyDirectory, .dontFollow, .add])
            let before = state.nodes[watch]?.wanted(by: ObjectIdentifier(client))
            // In place, as everywhere: a copy would be one of all clients.
            state.nodes[watch, default: WatchNode(path: path)].add(wanted, for: client)
            state.nodes[watch]?.path = path
            state.nodes[watch]?.mask.formUnion(wanted.mask)
            if opensSource {
                state.source = source
                ThreadPool.shared.read(source)
            }
            return (watch, before?.contains(wanted) != true)
        }
    }

    /// Of the watches `among`, `client` from now on wants these and no others.
    func keep(_ wanted: [Int32: WatchInterest], among watches: Set<Int32>, for client: any WatchClient) {
        if CurrentProcess.isForked { return }
        let id = ObjectIdentifier(client)
        let disturbed = state.withLock { state -> [any WatchClient] in
            guard let source = state.source else { return [] }
            var disturbed: [any WatchClient] = []
            for watch in watches {
                guard let before = state.nodes[watch]?.wanted(by: id), before != wanted[watch] else { continue }
                state.nodes[watch]?.change(wanted[watch], of: id)
                disturbed += shrink(watch, source, &state)
            }
            endIfUnused(&state)
            return disturbed
        }
        for client in disturbed {
            ThreadPool.shared.execute { client.process([], lostEvents: true) }
        }
    }

    /// The reader of a source that is not the hub's any more ends, and the descriptor is closed with it.
    private func endIfUnused(_ state: inout State) {
        guard state.nodes.isEmpty else { return }
        state.source = nil
        for action in state.barriers.values { ThreadPool.shared.execute(action) }
        state.barriers = [:]
        state.newcomers = [:]
    }

    /// Calls `action` on a thread of the pool, after everything that the kernel has told until now was handed on.
    func addBarrier(_ action: @escaping ThreadPool.Job) {
        let isAdded = state.withLock { state -> Bool in
            guard let barrier = makeBarrier(state) else { return false }
            state.barriers[barrier] = action
            return true
        }
        if !isAdded { ThreadPool.shared.execute(action) }
    }

    /// What the kernel has told until now, to others, is not handed on to `client`, who is to add its directories after this.
    func begin(_ client: any WatchClient) {
        guard !CurrentProcess.isForked else { return }
        state.withLock { state in
            if let barrier = makeBarrier(state) { state.newcomers[ObjectIdentifier(client)] = barrier }
        }
    }

    /// Marks the end of the queue; nil where nothing is in it, or it cannot be marked.
    ///
    /// The reader may lag behind the queue by any time. A watch that is added and removed leaves IN_IGNORED at the queue's end.
    private func makeBarrier(_ state: borrowing State) -> Int32? {
        guard !CurrentProcess.isForked, let source = state.source else { return nil }
        do throws(Errno) {
            let barrier = try source.inotify.add(Self.unwatched, mask: .deleteSelf)
            try source.inotify.remove(barrier)
            return barrier
        } catch {
            return nil  // Without /proc, or without a watch left, there is no telling.
        }
    }

    /// A directory that nobody follows a path to.
    private static let unwatched = "/proc/self/fdinfo"

    /// Asks the kernel for no more than is wanted of a directory. Returns whose events may have been lost by it.
    private func shrink(
        _ watch: Int32, _ source: InotifySource, _ state: inout State
    ) -> [any WatchClient] {
        guard let node = state.nodes[watch] else { return [] }
        let union = node.union
        if node.isUnused {
            state.nodes[watch] = nil
            // Where the directory is gone already, the kernel has removed the watch, and IN_IGNORED is on its way.
            do throws(Errno) { try source.inotify.remove(watch) } catch {}
            return []
        }
        guard union != node.mask, let path = node.path else { return [] }
        let answer: Int32
        do throws(Errno) {
            answer = try source.inotify.add(path, mask: [union, .onlyDirectory, .dontFollow])
        } catch {
            // The path leads nowhere now; the mask stays larger than need be until the watch itself tells so.
            return []
        }
        if answer == watch {
            state.nodes[watch]?.mask = union
            return []
        }
        // Another directory bears the path now, and has just lost what others wanted of it: give it back. And not again, for
        // each one who leaves: all those walk their paths now, and leave what they do not find there.
        state.nodes[watch]?.path = nil
        guard var other = state.nodes[answer] else {
            do throws(Errno) { try source.inotify.remove(answer) } catch {}
            return []
        }
        do throws(Errno) {
            _ = try source.inotify.add(path, mask: [other.mask, .onlyDirectory, .dontFollow, .add])
        } catch {}
        return other.clients
    }

    /// Hands a batch on. False where `source` has ended.
    func route(_ events: [InotifyEvent], from source: InotifySource) -> Bool {
        let deliveries = state.withLock { state in
            state.source === source ? state.deliveries(of: events) : nil
        }
        switch deliveries {
        case .all(let client): client.process(events, lostEvents: false)
        case .allToEach(let clients): for client in clients { client.process(events, lostEvents: false) }
        case .each(let batches, let lostEvents, let passed):
            for batch in batches.all { batch.client.process(batch.events, lostEvents: lostEvents) }
            // Not here: there may be hundreds, each of which walks a path.
            ThreadPool.shared.execute(inTurn: passed)
            return state.withLock { state in
                if state.source === source { endIfUnused(&state) }
                return state.source === source
            }
        case nil: return false
        }
        return true
    }

    /// Has everybody look, with pauses: a machine that starts containers mounts again and again.
    func mountsChanged() {
        let moment = state.withLock { state -> Moment? in
            if state.hasMountLook { return nil }
            state.hasMountLook = true
            return state.nextMountLook
        }
        if let moment { ThreadPool.shared.schedule(at: moment) { self.lookForMounts() } }
    }

    private func lookForMounts() {
        let clients = state.withLock { state in
            state.hasMountLook = false
            state.nextMountLook = .now + Self.mountPause
            return state.clients
        }
        var told: Set<ObjectIdentifier> = []
        for client in clients where told.insert(ObjectIdentifier(client)).inserted { client.mountsChanged() }
    }

    private static let mountPause = Duration.milliseconds(250)

    /// The descriptor cannot be read any more: everybody begins anew, with another one or without.
    func fail(_ source: InotifySource) {
        let clients = state.withLock { state -> [any WatchClient] in
            guard state.source === source else { return [] }
            let clients = state.clients
            state.nodes = [:]
            endIfUnused(&state)
            return clients
        }
        for client in clients { client.process([], lostEvents: true) }
    }
}
