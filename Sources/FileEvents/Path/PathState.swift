import SystemCalls

/// What a ``PathWatch`` knows: where its path leads, how that is watched, and when it is looked at.
struct PathState: Sendable {
    /// Where the path leads, and how it is watched.
    struct Way: Equatable {
        let target: PathTarget?
        let watch: Int32?
        let health: WatchHealth
        let refusal: Errno?
    }

    /// What a walk has found.
    struct Destination: Sendable {
        fileprivate(set) var target: PathTarget? {
            didSet { targetNumber += 1 }
        }
        private(set) var targetNumber: UInt64 = 0
        fileprivate(set) var health = WatchHealth.waitingForDirectory
        fileprivate(set) var refusal: Errno?
    }

    private(set) var watched = WatchedDirectories()
    private(set) var destination = Destination()
    var looks = LookSchedule()
    var mounted = MountedNames()

    var target: PathTarget? { destination.target }
    var health: WatchHealth { destination.health }
    var way: Way { Way(target: target, watch: watched.target, health: health, refusal: destination.refusal) }

    /// Notes what a walk has found, once its watches are in place. Without a thread that reads events, the watches are
    /// of no use.
    mutating func note(_ found: PathResolution, lacksReader: @autoclosure () -> Bool) {
        watched = WatchedDirectories(
            found.watches.interests, target: found.targetWatch, leaf: found.target?.leaf)
        destination.target = found.target
        destination.refusal = found.refusal
        destination.health = found.health
        if health == .live, let directory = target?.path, let blindness = mounted.blindness(in: directory) {
            destination.health = .polling(reason: blindness)
        }
        // The alarm needs a thread, too: once one can be created, the alarm rings, and the look finds that events are
        // read again.
        if health == .live, lacksReader() {
            destination.health = .polling(
                reason: "no thread can be created; raise ulimit -u or -v, or pids.max of the control group")
        }
    }

    /// Nothing is watched any more.
    mutating func noteLeft() {
        watched = WatchedDirectories()
        destination.target = nil
    }
}
