import SystemCalls

/// Looks for what was mounted or unmounted, because neither causes an event.
extension WatchHub {
    private static let mountPause = Duration.milliseconds(250)

    /// Makes all clients look, with pauses in between: a machine that starts containers mounts again and again.
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
        let others = clients.filter { told.insert(ObjectIdentifier($0)).inserted }
        // The file system of one client may not answer: the others must not wait for that.
        ThreadPool.shared.execute(inTurn: others.map { client in { client.mountsChanged() } }, isUrgent: false)
    }
}
