import Synchronization
import SystemCalls

/// Looks that no event of the kernel has caused.
extension PathWatch {
    /// What to do once the alarm has rung.
    private enum Next {
        case look
        case walk(WalkReason)
        case walkAfterEvents(WalkReason)
    }

    /// How long a look for lost events waits for more losses: a name that comes and goes all the time may cost an event
    /// each time, and a directory may have thousands of names.
    private static let lossLookPause = Duration.milliseconds(100)

    func setAlarm(_ state: inout PathState) {
        let isPolled = state.health.isPolling
        guard let (moment, number) = state.looks.next(isPolled: isPolled) else { return }
        let token = ThreadPool.shared.schedule(at: moment, isBrief: !isPolled) { [self] in
            walkSlots.run { self.alarmRang(number) }
        }
        if let old = state.looks.set(token, moment, number) { ThreadPool.shared.cancel(old) }
    }

    private func alarmRang(_ number: UInt64) {
        let next = state.withLock { state -> Next? in
            state.looks.rang(number) ? nextLook(state, .time) : nil
        }
        take(next)
    }

    func mountsChanged() {
        // A look that still waits for a slot will see everything that is mounted until it runs.
        if isMountLookDue.exchange(true, ordering: .sequentiallyConsistent) { return }
        walkSlots.run { self.lookForMounts() }
    }

    private func lookForMounts() {
        isMountLookDue.store(false, ordering: .sequentiallyConsistent)
        lookUnlessWalked(.mounts)
    }

    func mayHaveLostEvents() {
        lossLook.withLock { look in
            if look != nil { return }
            look = ThreadPool.shared.schedule(at: .now + Self.lossLookPause, isBrief: true) { [weak self] in
                guard let self else { return }
                walkSlots.run { self.lookForLosses() }
            }
        }
    }

    private func lookForLosses() {
        lossLook.withLock { $0 = nil }
        // A polled path is looked at anyway, and its file system may hold up all looks that are made in turn.
        if health.isPolling { return }
        lookUnlessWalked(.time)
    }

    private func lookUnlessWalked(_ reason: WalkReason) {
        let next = state.withLockIfAvailable { hasEnded ? nil : nextLook($0, reason) }
        // The path is being walked, maybe into a file system that does not answer, and more may happen meanwhile: so
        // this waits in the inbox, and not on a thread.
        take(next ?? .walkAfterEvents(reason))
    }

    private func nextLook(_ state: borrowing PathState, _ reason: WalkReason) -> Next {
        guard case .live = state.health else { return .walk(reason) }
        return followed.isStill(state.target) ? .look : .walkAfterEvents(reason)
    }

    private func take(_ next: Next?) {
        switch next {
        case .look: look(isAnew: false)
        case .walk(let reason): walk(reason)
        // When a watch is dropped, events of its directory that are not delivered yet are lost with it.
        case .walkAfterEvents(let reason): EventBarrier.whenPassed { self.enqueue(.walk(reason)) }
        case nil: break
        }
    }

    func walk(_ reason: WalkReason) {
        let walked = walking { state -> (isAnew: Bool, left: PathTarget?) in
            let before = state.way
            resolve(&state)
            return (before != state.way, before.target == state.target ? nil : before.target)
        }
        guard let (isAnew, left) = walked else { return }
        // The table of mounts changes before the directories that go with a file system report that it was unmounted,
        // and by now nobody watches them.
        if reason == .mounts, let left { delegate?.fileSystemWasUnmounted(with: left) }
        look(isAnew: isAnew)
    }

    private func look(isAnew: Bool) {
        guard let delegate else { return }
        var hasChanged = isAnew
        if isAnew { delegate.everythingMayHaveChanged() } else { hasChanged = delegate.lookForChanges() }
        state.withLock { state in
            if hasEnded { return }
            state.looks.note(hasChanged: hasChanged)
            setAlarm(&state)
        }
    }
}
