import Dispatch
import SystemCalls

/// What a ``FileObserver`` does; the observer itself is only its handle, so that dropping it cancels.
///
/// 1. Changes are *translated* into events, and *merged* into what is pending.
/// 2. If nobody is delivering, a delivery is *submitted*; it *calls* the handler until nothing is pending.
/// 3. After a cancel the delivery *calls* the cancel handler, and is the last.
final class FileObserverCore: PathWatchDelegate {
    typealias Event = FileObserver.FileSystemEvent

    private enum Phase {
        case inactive, active, cancelled
        /// The cancel handler was called, or is being called.
        case ended
    }

    private struct State {
        var phase = Phase.inactive
        var watch: PathWatch?
        var eventHandler: (@Sendable () -> Void)?
        var cancelHandler: (@Sendable () -> Void)?
        var pending: Event = []
        var data: Event = []
        var isDelivering = false
        /// As it was when last looked at; nil where there was no file.
        var last: Fingerprint?
    }

    let mask: Event
    private let path: String
    private let queue: DispatchQueue?
    /// Guards all that changes.
    private let state = Guarded(State())

    init(path: String, mask: Event, queue: DispatchQueue?) {
        self.path = path
        self.mask = mask
        self.queue = queue
    }

    var data: Event { state.withLock(\.data) }

    var isCancelled: Bool { state.withLock { $0.phase == .cancelled || $0.phase == .ended } }

    func setEventHandler(_ handler: (@Sendable () -> Void)?) {
        let old = state.withLock { state in
            let old = state.eventHandler
            state.eventHandler = handler
            return old
        }
        _ = old  // Released outside of the lock: it may hold anything.
    }

    func setCancelHandler(_ handler: (@Sendable () -> Void)?) {
        let old = state.withLock { state in
            let old = state.cancelHandler
            state.cancelHandler = handler
            return old
        }
        _ = old
    }

    func activate() {
        let isFirst = state.withLock { state in
            defer { if state.phase == .inactive { state.phase = .active } }
            return state.phase == .inactive
        }
        guard isFirst else { return }
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { String(path[...$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let absolute: String
        do throws(Errno) {
            absolute = try Path.absolute(directory)
        } catch {
            // The current directory was removed, and nothing can ever be at a path that is relative to it; or its path is
            // not UTF-8, and cannot be followed.
            return
        }
        let watch = PathWatch(path: absolute, leaf: name, delegate: self)
        let isCancelled = state.withLock { state in
            state.watch = watch
            state.last = fingerprint(watch.target)
            return state.phase != .active
        }
        if isCancelled { watch.cancel() }
    }

    func cancel() {
        let (watch, mustSubmit) = state.withLock { state -> (PathWatch?, Bool) in
            guard state.phase == .inactive || state.phase == .active else { return (nil, false) }
            state.phase = .cancelled
            state.pending = []
            defer { state.isDelivering = true }
            return (state.watch, !state.isDelivering)
        }
        watch?.cancel()
        if mustSubmit { submit() }
    }

    // MARK: Delivering

    private func report(_ event: Event) {
        let mustSubmit = state.withLock { state in
            let wanted = event.intersection(mask)
            guard state.phase == .active, !wanted.isEmpty else { return false }
            state.pending.formUnion(wanted)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if mustSubmit { submit() }
    }

    private func submit() {
        if let queue {
            queue.async { self.deliver() }
        } else {
            EventLoop.shared.execute { self.deliver() }
        }
    }

    private func deliver() {
        HandlerScope.run {
            while let call = nextCall() { call() }
        }
    }

    private func nextCall() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.phase == .cancelled {
                state.phase = .ended
                state.eventHandler = nil
                defer { state.cancelHandler = nil }
                return state.cancelHandler ?? {}
            }
            guard state.phase == .active, !state.pending.isEmpty else {
                state.isDelivering = false
                return nil
            }
            state.data = state.pending
            state.pending = []
            return state.eventHandler ?? {}
        }
    }

    // MARK: Translating

    func namesChanged(_ changes: [InotifyEvent]) {
        let watch = state.withLock(\.watch)
        guard let target = watch?.target else { return }
        var event: Event = []
        /// Whether the name was gone after the last that was told.
        var isGone = false
        for change in changes where change.name == target.leaf {
            let mask = change.mask
            if mask.contains(.modify) { event.formUnion([.write, .extend]) }
            if mask.contains(.closeWrite) { event.formUnion(.write) }
            if mask.contains(.attributes) { event.formUnion(.attrib) }
            if mask.contains(.create) { event.formUnion([.link, .write]) }
            if mask.contains(.movedTo) { event.formUnion([.rename, .write]) }
            if mask.contains(.movedFrom) { event.formUnion(.rename) }
            if mask.contains(.delete) { event.formUnion(.delete) }
            if !mask.isDisjoint(with: .namesChanged) {
                // An exchange tells this in the end, too: better one event too many than one too few.
                isGone = !mask.isDisjoint(with: .gone)
            }
        }
        if event.isEmpty { return }
        let now = fingerprint(target)
        let before = state.withLock { state in
            defer { state.last = now }
            return state.last
        }
        // What an event that comes late says is not all: who looks again finds no difference any more.
        if now == nil, before != nil || event.contains(.rename) { event.formUnion(.delete) }
        if now != nil, before == nil { event.formUnion([.link, .write]) }
        // It was made again before anybody asked to be told of that.
        if now != nil, isGone { event.formUnion(.link) }
        // Deleted, and there is one again already: what made it may have been told of a directory that is gone.
        if now != nil, !event.isDisjoint(with: [.delete, .rename]) { event.formUnion(.write) }
        report(event)
    }

    func everythingMayHaveChanged() {
        _ = lookForChanges()
    }

    func lookForChanges() -> Bool {
        let watch = state.withLock(\.watch)
        let now = fingerprint(watch?.target)
        let before = state.withLock { state in
            defer { state.last = now }
            return state.last
        }
        if now == before { return false }
        var event: Event = []
        switch (before, now) {
        case (nil, _): event = [.link, .write]
        case (_, nil): event = .delete
        case (let before?, let now?):
            event = [.write, .attrib]
            if before.identity != now.identity { event.formUnion([.rename, .revoke]) }
            if before.size != now.size { event.formUnion(.extend) }
        }
        report(event)
        return true
    }

    private func fingerprint(_ target: PathTarget?) -> Fingerprint? {
        guard let target, let leaf = target.leaf else { return nil }
        do throws(Errno) {
            return try Path.linkStatus(of: target.path + "/" + leaf).fingerprint
        } catch {
            return nil
        }
    }
}
