import Synchronization
import SystemCalls

/// The supervisor: the thread that calls the others.
extension ThreadPool {
    /// Makes sure that the supervisor checks in time on what has begun, or waits, since `now`.
    func watchOver(_ state: inout ThreadPoolState, now: Moment) {
        if let moment = state.firstLook(now: now) { arm(&state, moment) } else { makeMissingSupervisor(&state) }
    }

    /// Tries again to create the supervisor if that failed before. It then looks at once for everything that is due, or
    /// waits.
    func makeMissingSupervisor(_ state: inout ThreadPoolState) {
        if hasNoSupervisor.load(ordering: .relaxed) { arm(&state, .now) }
    }

    func arm(_ state: inout ThreadPoolState, _ moment: Moment) {
        if let armed = state.armed, armed <= moment { return }
        // An alarm that cannot be set wakes nobody: another supervisor takes the place of the one that waits for it.
        if let alarm = state.alarm, alarm.set(moment) { return state.arm(alarm, at: moment) }
        let alarm = Alarm()
        do throws(Errno) {
            try spawn(named: "group-files/sup") { [self] in supervise(alarm) }
        } catch {
            // Deadlines cannot be met now; the next caller tries again.
            hasNoSupervisor.store(true, ordering: .relaxed)
            return
        }
        // What should have been armed before may be due earlier.
        let moment = hasNoSupervisor.exchange(false, ordering: .relaxed) ? .now : moment
        if alarm.set(moment) { return state.arm(alarm, at: moment) }
        // The program has closed it meanwhile. The supervisor makes another one if it sees that; otherwise the next
        // caller makes another supervisor.
        state.disarm(alarm)
        hasNoSupervisor.store(true, ordering: .relaxed)
    }

    private func supervise(_ first: Alarm) {
        var alarm = first
        while true {
            var mountsChanged = alarm.wait()
            let awaited = alarm
            if alarm.lacksDescriptors {
                alarm = Alarm()
                // The new alarm does not report what was mounted before, so look now; but not while it, too, lacks a
                // descriptor: that would be a look each time.
                if !alarm.lacksDescriptors { mountsChanged = true }
            }
            let (called, due, isOver) = state.withLock { [alarm] state -> (ThreadPoolState.Called?, [Job], Bool) in
                if state.alarm !== awaited { return (nil, [], true) }
                state.disarm(alarm)
                let now = Moment.now
                var (actions, brief) = state.deadlines.due(at: now)
                if mountsChanged { for source in state.allSources { actions.append { source.mountsChanged() } } }
                if !brief.isEmpty { actions.append { [brief] in self.execute(inTurn: brief, isUrgent: false) } }
                let isForSpare = !actions.isEmpty && state.callSpare()
                // As urgent jobs, ahead of handlers: these may wait for what is due.
                if !isForSpare { for action in actions { state.urgentJobs.append(action, since: now) } }
                state.takeFromStuckThreads(now: now)
                if let next = state.nextLook(now: now) { arm(&state, next) }
                return (
                    actions.isEmpty || state.workers > 0 ? nil : state.call(), isForSpare ? actions : [],
                    state.endSupervisorIfUnneeded()
                )
            }
            if !due.isEmpty { runOnSpareThread(due) }
            if isOver { return }
            if let called, !make(called) { continue }
            callHelpers()
        }
    }

    private func runOnSpareThread(_ due: [Job]) {
        do throws(Errno) {
            try spawn(named: "group-files/due") { [self] in
                Thread.mark()
                for action in due { action() }
                state.withLock { $0.spareHasEnded() }
            }
        } catch {
            let now = Moment.now
            state.withLock { state in
                state.spareHasEnded()
                for action in due { state.urgentJobs.append(action, since: now) }
                arm(&state, now)
            }
        }
    }

    /// If the pool is not needed any more, wakes all waiting threads, so that they end.
    func endIfUnneeded(_ state: inout ThreadPoolState) {
        if state.isNeeded { return }
        hasNoSupervisor.store(false, ordering: .relaxed)
        while let parked = state.unpark() { parked.wake.signal() }
        if let alarm = state.alarm {
            let now = Moment.now
            if alarm.set(now) { state.arm(alarm, at: now) } else { state.loseAlarm() }
        }
    }
}
