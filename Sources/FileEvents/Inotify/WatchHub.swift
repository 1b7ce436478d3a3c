import SystemCalls

/// The one inotify descriptor of the process, and which client watches what with it.
///
/// 1. A client *adds* directories; the clients of one directory share a watch, whose mask is the union of what they
///    want.
/// 2. The reader *reads* a batch, in a storm after a *rest*, and *routes* it: each client gets the events of its
///    watches that are about names that it wants.
/// 3. A client *keeps* what it still wants; masks shrink, and watches without clients are removed.
/// 4. Removing the last one wakes the reader, which *ends*, and closes the descriptor.
final class WatchHub: Sendable {
    static let shared = WatchHub()

    /// Guards everything. The kernel is called under it, so that its results are noted in the order in which they came.
    /// That includes inotify_add_watch, which follows a path, but only one that was entered just before or is watched
    /// already, or one of procfs. The pool is given sources and jobs under it, too: the pool's own lock is taken inside
    /// this one, and the pool calls nothing under its lock that takes this one.
    let state = Guarded(State())

    /// Watches a directory, but not what a link in its place leads to, for `client`, in addition to what was added
    /// before. Events from now on are reported. `isNew`: some of them were not reported to the client until now.
    func add(
        _ path: String, _ wanted: WatchInterest, for client: any WatchClient
    ) throws(Errno) -> (watch: Int32, isNew: Bool) {
        // A forked child shares its parent's descriptor, and would change which events the parent gets.
        if CurrentProcess.isForked { throw .notSupported }
        Self.enter(path)
        return try state.withLock { state throws(Errno) in
            let source: InotifySource
            if let running = state.source { source = running } else { source = try InotifySource(hub: self) }
            let watch = try source.inotify.add(path, mask: [wanted.mask, .onlyDirectory, .dontFollow, .add])
            let before = state.nodes[watch]?.wanted(by: ObjectIdentifier(client))
            // In place, here and below: a copy of the node would copy all its clients.
            state.nodes[watch, default: WatchNode(path: path)].add(wanted, for: client)
            state.nodes[watch]?.path = path
            state.nodes[watch]?.mask.formUnion(wanted.mask)
            if state.source == nil {
                state.source = source
                ThreadPool.shared.read(source)
            }
            return (watch, before?.contains(wanted) != true)
        }
    }

    /// Follows a path as inotify_add_watch will, but outside of the lock, for which everybody waits: a file system on
    /// the way may not answer, or may be mounted only now.
    private static func enter(_ path: String) {
        // If this fails, inotify_add_watch fails in the same way, or the failure does not matter.
        do throws(Errno) { _ = try Path.linkStatus(of: path + "/.") } catch {}
    }

    /// Of the watches in `among`, `client` keeps those in `wanted`, with these interests, and leaves the others.
    func keep(_ wanted: [Int32: WatchInterest], among watches: Set<Int32>, for client: any WatchClient) {
        let id = ObjectIdentifier(client)
        let losses = state.withLock { state -> Losses in
            guard let source = state.source else { return Losses() }
            var losses = Losses()
            for watch in watches {
                guard let before = state.nodes[watch]?.wanted(by: id), before != wanted[watch] else { continue }
                state.nodes[watch]?.change(wanted[watch], of: id)
                shrink(watch, source, &state, &losses)
            }
            endIfUnused(&state)
            return losses
        }
        for client in losses.certain { ThreadPool.shared.execute { client.process([], lostEvents: true) } }
        for client in losses.possible { client.mayHaveLostEvents() }
    }

    /// If nothing is watched any more, gives up the source: its reader ends, and the descriptor is closed.
    private func endIfUnused(_ state: inout State) {
        guard state.nodes.isEmpty else { return }
        state.source = nil
        for action in state.barriers.values { ThreadPool.shared.execute(action) }
        state.barriers = [:]
        state.newcomers = [:]
    }

    /// Whether the kernel has queued events that the reader has not read.
    var hasUnreadEvents: Bool {
        !CurrentProcess.isForked && state.withLock { $0.source?.inotify.hasEvents ?? false }
    }

    /// Calls `action` on a thread of the pool, once everything that the kernel has queued until now is delivered.
    func addBarrier(_ action: @escaping ThreadPool.Job) {
        let isAdded = state.withLock { state -> Bool in
            guard let barrier = makeBarrier(state) else { return false }
            state.barriers[barrier] = action
            return true
        }
        // There is no queue, or it cannot be marked, but clients that are just being notified of lost events may not
        // have looked yet.
        if !isAdded { PendingWalks.shared.whenOver([action]) }
    }

    /// Keeps events that are already queued, for others, from being delivered to `client`, which adds its directories
    /// after this call.
    func skipQueuedEvents(for client: any WatchClient) {
        guard !CurrentProcess.isForked else { return }
        state.withLock { state in
            if let barrier = makeBarrier(state) { state.newcomers[ObjectIdentifier(client)] = barrier }
        }
    }

    /// Marks the end of the queue; nil if there is no queue, or it cannot be marked.
    ///
    /// The reader may lag behind the queue for any length of time.
    private func makeBarrier(_ state: borrowing State) -> Int32? {
        guard !CurrentProcess.isForked, let source = state.source else { return nil }
        do throws(Errno) {
            return try source.markQueue(.barrier)
        } catch {
            return nil  // Without /proc, or without a watch left, it cannot be marked.
        }
    }

    /// The clients that have lost events because masks were replaced.
    private struct Losses {
        /// The mask of their directory was reduced too far, for a while.
        var certain: [any WatchClient] = []
        /// When the kernel replaces a mask, the mask is empty for a moment: what happens just then is not reported.
        var possible: [any WatchClient] = []
    }

    /// Reduces what the kernel is asked for in a directory to what is still wanted.
    private func shrink(_ watch: Int32, _ source: InotifySource, _ state: inout State, _ losses: inout Losses) {
        guard let node = state.nodes[watch] else { return }
        if node.isUnused {
            state.nodes[watch] = nil
            // If the directory is gone already, the kernel has removed the watch, and IN_IGNORED is on its way.
            do throws(Errno) { try source.inotify.remove(watch) } catch {}
            return
        }
        let union = node.union
        guard union != node.mask, let path = node.path else { return }
        let answer: Int32
        do throws(Errno) {
            answer = try source.inotify.add(path, mask: [union, .onlyDirectory, .dontFollow])
        } catch {
            // The path leads nowhere now. The mask stays larger than necessary until an event about the directory
            // itself reports that.
            return
        }
        if answer == watch {
            state.nodes[watch]?.mask = union
            losses.possible += state.nodes[watch]?.clients ?? []
            return
        }
        // Another directory is at the path now, and its watch has just lost what other clients want: restore that. Do
        // so only once, not for each client that leaves: all clients walk their paths now, and drop the directories
        // that they do not find there.
        state.nodes[watch]?.path = nil
        guard var other = state.nodes[answer] else {
            do throws(Errno) { try source.inotify.remove(answer) } catch {}
            return
        }
        // With `.add`, because by now the path may lead to a third directory, whose events are all wanted. Whatever is
        // not wanted goes when the mask is next reduced.
        do throws(Errno) {
            _ = try source.inotify.add(path, mask: [other.mask, .onlyDirectory, .dontFollow, .add])
        } catch {}
        state.nodes[answer]?.mask.formUnion(union)
        losses.certain += other.clients
    }

    /// Delivers a batch. False if `source` has ended.
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
            PendingWalks.shared.whenOver(passed)
            return state.withLock { state in
                if state.source === source { endIfUnused(&state) }
                return state.source === source
            }
        case nil: return false
        }
        return true
    }

    /// The descriptor can no longer be read: all clients start anew, with another descriptor or without one.
    func fail(_ source: InotifySource) {
        let failure = state.withLock {
            state -> (clients: [any WatchClient], barriers: [ThreadPool.Job], walk: UInt64)? in
            guard state.source === source else { return nil }
            let clients = state.clients
            let barriers = Array(state.barriers.values)
            state.barriers = [:]
            state.nodes = [:]
            endIfUnused(&state)
            // Barriers, including those that are added from now on, wait until all clients have been notified.
            return (clients, barriers, PendingWalks.shared.begin())
        }
        guard let failure else { return }
        for client in failure.clients { client.process([], lostEvents: true) }
        PendingWalks.shared.whenOver(failure.barriers)
        PendingWalks.shared.end(failure.walk)
    }
}
