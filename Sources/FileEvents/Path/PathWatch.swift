import Synchronization
package import SystemCalls

/// Follows a path to a directory, or to a file through its links, until it is cancelled: across removal and
/// re-creation, moves of any ancestor, changed links, and where the kernel cannot notify.
///
/// 1. Events of the directory are *passed on*; for events on the way to it the path is *resolved* again, in a job.
/// 2. Where the kernel cannot notify, an alarm makes the delegate *look*; each time, live watching is tried again.
/// 3. Every 25 to 30 seconds the delegate *looks* in any case, and whenever something was mounted or unmounted: a mount
///    over the directory causes no event in it. It also looks soon after an event may have got lost.
/// 4. Its watches and its alarm hold it until it is *cancelled*.
package final class PathWatch: WatchClient {
    let followed: FollowedPath
    let walkSlots: WalkSlots
    weak let delegate: (any PathWatchDelegate)?

    /// Guards what a walk finds. The path is walked under it, so that two resolutions never mix; the delegate is not
    /// called under it.
    let state = Guarded(PathState())
    /// What the last walk has found, for callers that must not wait for a walk that hangs.
    private let lastDestination = Guarded(PathState.Destination())
    private let isCancelled = Atomic(false)
    let isMountLookDue = Atomic(false)
    /// The look that is due because events may have been lost.
    let lossLook = Guarded<DeadlineQueue.Token?>(nil)
    /// What has to be done in order, by a job, not by the thread that reports it. Nothing else is done under its lock.
    private let inbox = Guarded(PathTasks())

    /// Follows `path`, which is absolute. A `leaf` is a name in it whose symbolic links are followed.
    ///
    /// The creation of a name in the directory is reported if `watchesNewNames`, while the leaf is missing, and while a
    /// ``NameInterest`` asks for it. Otherwise it is somebody's temporary file, and not worth a wake-up.
    ///
    /// With `namesBesideLeaf`, only events about these names and the leaf's need to be reported: the directory may have
    /// thousands of other names.
    ///
    /// With `beginsNow`, what happened before is not reported, even if others in this process have still to be notified
    /// of it.
    package init(
        path: String, leaf: String?, watchesNewNames: Bool = false, namesBesideLeaf: Set<ExactName>? = nil,
        usesNotifications: Bool = true, beginsNow: Bool = false, walkSlots: WalkSlots = .shared,
        delegate: any PathWatchDelegate
    ) {
        followed = FollowedPath(
            path: path, leaf: leaf, watchesNewNames: watchesNewNames, namesBesideLeaf: namesBesideLeaf,
            usesNotifications: usesNotifications)
        self.walkSlots = walkSlots
        self.delegate = delegate
        if beginsNow { WatchHub.shared.skipQueuedEvents(for: self) }
        state.withLock { state in
            // Mounts are reported once an alarm has been set: with this one, a mount during the walk is noticed.
            setAlarm(&state)
            resolve(&state)
            setAlarm(&state)
        }
    }

    // None of these waits for a walk.

    /// Increases whenever the target may have become another one.
    package var targetNumber: UInt64 { lastDestination.withLock(\.targetNumber) }
    var target: PathTarget? { lastDestination.withLock(\.target) }
    package var health: WatchHealth { lastDestination.withLock(\.health) }
    /// Why the path leads nowhere, other than for a missing directory on the way.
    package var refusal: Errno? { lastDestination.withLock(\.refusal) }
    /// Both, as the same walk found them.
    package var destination: (target: PathTarget?, refusal: Errno?) {
        lastDestination.withLock { ($0.target, $0.refusal) }
    }

    /// Makes sure that `target` is what the path leads to at this moment, without notifying the delegate. True if it
    /// was another one, or has another watch: changes in it may not have been reported.
    package func resolveIfChanged() -> Bool {
        walking { state in
            // For a file, links may be anywhere on the way: walk it.
            if followed.leaf == nil, followed.isStill(state.target) { return false }
            let before = (state.target, state.watched.target)
            resolve(&state)
            // The polling interval may be another one from now on.
            setAlarm(&state)
            return before != (state.target, state.watched.target)
        } ?? false
    }

    /// Checks whether a single file is mounted at any of these names in the directory. If so, the delegate is made to
    /// look from now on. True if that is new.
    package func noteMounts(at names: [String]) -> Bool {
        guard let directory = target?.path else { return false }
        let mounted = names.filter { MountedNames.isMounted(directory + "/" + $0) }
        if mounted.isEmpty { return false }
        return walking { state in
            var isNew = false
            for name in mounted where state.mounted.insert(name) { isNew = true }
            guard isNew else { return false }
            resolve(&state)
            setAlarm(&state)
            return true
        } ?? false
    }

    /// Nothing is reported any more once this returns, except by calls in progress. It does not wait for a walk, which
    /// may hang: in that case the watches are left once the walk is over.
    package func cancel() {
        // In a forked child the lock may be held for ever.
        if CurrentProcess.isForked { return }
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        let isLeft: Void? = state.withLockIfAvailable { leave(&$0) }
        if isLeft == nil { enqueue(.walk(.time)) }
    }

    /// Whether it was cancelled. A walk that is under way then leaves the watches.
    var hasEnded: Bool { isCancelled.load(ordering: .sequentiallyConsistent) }

    private func leave(_ state: inout PathState) {
        WatchHub.shared.keep([:], among: state.watched.numbers, for: self)
        state.noteLeft()
        lastDestination.withLock { $0 = state.destination }
        for alarm in [state.looks.end(), lossLook.withLock { $0.take() }] {
            if let alarm { ThreadPool.shared.cancel(alarm) }
        }
    }

    /// Calls `body`, which may walk the path, under the lock. Nil if the watch was cancelled, before or meanwhile: then
    /// this leaves the watched directories.
    func walking<Result: Sendable>(_ body: (inout PathState) -> Result) -> Result? {
        state.withLock { state in
            let result = hasEnded ? nil : body(&state)
            if hasEnded {
                leave(&state)
                return nil
            }
            return result
        }
    }

    // MARK: Being told

    func process(_ events: [InotifyEvent], lostEvents: Bool) {
        if inbox.withLock(\.isEmpty), passOn(events, lostEvents) { return }
        enqueue(.events(events, lostEvents: lostEvents))
    }

    /// Passes events on to the delegate. False if the path has to be walked, or is being walked: that is left to a job,
    /// because a file system on the way may not answer, and the thread that reads events for everybody must not wait
    /// for it. Also false where the kernel does not report all changes, because that thread must not wait for the
    /// delegate there: most such file systems are on another machine.
    private func passOn(_ events: [InotifyEvent], _ lostEvents: Bool) -> Bool {
        let told =
            state.withLockIfAvailable { state -> (found: WatchedDirectories.Consequences, target: PathTarget?)? in
                if hasEnded { return (WatchedDirectories.Consequences(changes: []), nil) }
                if state.health.isPolling { return nil }
                return (state.watched.consequences(of: events, lostEvents: lostEvents), state.target)
            } ?? nil
        guard let (found, target) = told, !found.mustResolve else { return false }
        delegate?.tell(found, about: target, isLeft: false)
        return true
    }

    func enqueue(_ task: PathTasks.Task) {
        guard inbox.withLock({ $0.append(task) }) else { return }
        let walk = PendingWalks.shared.begin()
        let work = { @Sendable [self] in
            walkSlots.run { [self] in
                workOff()
                PendingWalks.shared.end(walk)
            }
        }
        ThreadPool.shared.execute(work, isUrgent: true)
    }

    private func workOff() {
        while let task = inbox.withLock({ $0.next() }) {
            switch task {
            case .events(let events, let lostEvents): walk(becauseOf: events, lostEvents)
            case .walk(let reason): walk(reason)
            }
        }
    }

    private func walk(becauseOf events: [InotifyEvent], _ lostEvents: Bool) {
        let told = walking { state -> (found: WatchedDirectories.Consequences, target: PathTarget?, isLeft: Bool) in
            var found = state.watched.consequences(of: events, lostEvents: lostEvents)
            guard found.mustResolve else { return (found, state.target, false) }
            let before = state.way
            resolve(&state)
            setAlarm(&state)
            // If the target is the same, the lost file system only held a link on the way; if there was no target, it
            // was reported before.
            if before.target == nil || before.target == state.target { found.isUnmounted = false }
            // Not if the way is unchanged: events have reported everything, and a file that is being created must not
            // be read yet.
            if before != state.way { found.mayHaveMissedEvents = true }
            return (found, before.target, before.target != state.target)
        }
        if let (found, target, isLeft) = told { delegate?.tell(found, about: target, isLeft: isLeft) }
    }

    func resolve(_ state: inout PathState) {
        let resolution = followed.resolution(for: self)
        WatchHub.shared.keep(
            resolution.watches.interests, among: resolution.watches.touched.union(state.watched.numbers), for: self)
        state.note(resolution, lacksReader: ThreadPool.shared.lacksReader)
        lastDestination.withLock { $0 = state.destination }
    }
}
