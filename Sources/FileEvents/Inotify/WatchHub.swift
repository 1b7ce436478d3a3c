import SystemCalls

/// The one inotify descriptor of the process, and who watches what with it.
///
/// 1. A client *adds* directories; two clients of one directory share a watch, whose mask is the union of what they want.
/// 2. The reader *reads* a batch, in a storm after a *rest*, and *routes* it: to each client what its watches told.
/// 3. A client *keeps* what it still wants; masks are *narrowed*, and watches that nobody wants are removed.
/// 4. Removing the last one wakes the reader, which *ends*, and closes the descriptor.
final class WatchHub: Sendable {
    static let shared = WatchHub()

    /// Guards everything. Under it only inotify_init1 and inotify_rm_watch, which do not wait: the kernel follows a path
    /// outside of it, since a file system on the way may never answer, and others want to be told meanwhile. The loop is
    /// given what it is to read or to run under a lock of its own: it calls nobody who would want this one.
    private let state = Guarded(WatchHubState())

    private init() {}

    /// Watches a directory, and not what a link in its place leads to, for `client`, beside what was added before; what
    /// happens from now on is reported. `isNew` where some of it was not reported to the client until now.
    func add(
        _ path: String, _ mask: InotifyMask, for client: any WatchClient
    ) throws(Errno) -> (watch: Int32, isNew: Bool) {
        // A child that was forked has its parent's descriptor, and would change what the parent is told.
        if CurrentProcess.isForked { throw .notSupported }
        while true {
            let call = try state.withLock { state throws(Errno) in
                let source: InotifySource
                if let running = state.source { source = running } else { source = try InotifySource(hub: self) }
                return state.begin(with: source)
            }
            let watch: Int32
            do throws(Errno) {
                watch = try call.source.inotify.add(path, mask: [mask, .onlyDirectory, .dontFollow, .add])
            } catch {
                state.withLock { state in
                    state.end(call)
                    endIfUnused(&state)
                }
                throw error
            }
            let isNew = state.withLock { state -> Bool? in
                let isNew = state.add(mask, for: client, to: watch, at: path, call)
                if isNew == nil { removeIfUnused(watch, of: call.source, &state) }
                if let source = state.beginReading() { EventLoop.shared.read(source) }
                endIfUnused(&state)
                return isNew
            }
            if let isNew { return (watch, isNew) }
        }
    }

    /// Of the watches `among`, `client` from now on wants these and no others.
    func keep(_ wanted: [Int32: InotifyMask], among watches: Set<Int32>, for client: any WatchClient) {
        if CurrentProcess.isForked { return }
        let id = ObjectIdentifier(client)
        let narrowings = state.withLock { state -> [WatchHubState.Narrowing] in
            guard let source = state.source else { return [] }
            var narrowings: [WatchHubState.Narrowing] = []
            for watch in watches where state.change(wanted[watch], of: id, at: watch) {
                removeIfUnused(watch, of: source, &state)
                if let narrowing = state.narrowing(of: watch) { narrowings.append(narrowing) }
            }
            endIfUnused(&state)
            return narrowings
        }
        for narrowing in narrowings { narrow(narrowing) }
    }

    /// Asks the kernel for no more than is wanted of a directory.
    private func narrow(_ first: WatchHubState.Narrowing) {
        var next: WatchHubState.Narrowing? = first
        while let narrowing = next.take() {
            let source = narrowing.call.source
            let answer: Int32?
            do throws(Errno) {
                answer = try source.inotify.add(narrowing.path, mask: [narrowing.mask, .onlyDirectory, .dontFollow])
            } catch {
                // The path leads nowhere now; the mask stays larger than need be until the watch itself tells so.
                answer = nil
            }
            let disturbed = state.withLock { state -> [any WatchClient] in
                let disturbed = state.end(narrowing, answer)
                if let answer { removeIfUnused(answer, of: source, &state) }
                // More may be wanted, or less, than when it began.
                if answer == narrowing.watch { next = state.narrowing(of: narrowing.watch) }
                endIfUnused(&state)
                return disturbed
            }
            for client in disturbed {
                EventLoop.shared.execute { client.process([], lostEvents: true) }
            }
        }
    }

    private func removeIfUnused(_ watch: Int32, of source: InotifySource, _ state: inout WatchHubState) {
        guard state.forgetIfUnused(watch, of: source) else { return }
        // Where the directory is gone already, the kernel has removed the watch, and IN_IGNORED is on its way.
        do throws(Errno) { try source.inotify.remove(watch) } catch {}
    }

    /// The reader of a source that is not the hub's any more ends, and the descriptor is closed with it.
    private func endIfUnused(_ state: inout WatchHubState) {
        for action in state.endIfUnused() { EventLoop.shared.execute(action) }
    }

    /// Calls `action` on a thread of the loop, after everything that the kernel has told until now was handed on.
    ///
    /// A thread may lag behind its queue by any time. A watch that is added and removed leaves IN_IGNORED at the queue's end.
    func afterPendingEvents(_ action: @escaping EventLoop.Job) {
        let isMarked = state.withLock { state -> Bool in
            guard !CurrentProcess.isForked, let source = state.source else { return false }
            do throws(Errno) {
                let mark = try source.inotify.add(Self.unwatched, mask: .deleteSelf)
                state.marks[mark] = action
                try source.inotify.remove(mark)
                return true
            } catch {
                return false  // Without /proc, or without a watch left, there is no telling.
            }
        }
        if !isMarked { EventLoop.shared.execute(action) }
    }

    /// Another thread may read the source meanwhile, because this one was long about it.
    private func wakeReader(of source: InotifySource) {
        do throws(Errno) {
            try source.inotify.remove(try source.inotify.add(Self.unwatched, mask: .deleteSelf))
        } catch {}  // Without /proc, or without a watch left, that thread waits for ever.
    }

    /// A directory that nobody follows a path to.
    private static let unwatched = "/proc/self/fdinfo"

    /// Hands a batch on. False where `source` has ended.
    func route(_ events: [InotifyEvent], from source: InotifySource) -> Bool {
        let deliveries = state.withLock { state in
            state.source === source ? state.deliveries(of: events) : nil
        }
        switch deliveries {
        case .all(let client): client.process(events, lostEvents: false)
        case .allToEach(let clients): for client in clients { client.process(events, lostEvents: false) }
        case .each(let batches, let lostEvents, let marked):
            for batch in batches.all { batch.client.process(batch.events, lostEvents: lostEvents) }
            for action in marked { action() }
            return state.withLock { state in
                if state.source === source {
                    endIfUnused(&state)
                    if state.source == nil { wakeReader(of: source) }
                }
                return state.source === source
            }
        case nil: return false
        }
        return true
    }

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
