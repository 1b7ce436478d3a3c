/// Whom a ``PathWatch`` tells: on a thread of the pool, outside of any lock.
package protocol PathWatchDelegate: AnyObject, Sendable {
    /// What happened to names in the directory `target`, in order. Each of these events has a name, if an empty one. The
    /// path may lead elsewhere by now.
    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?)
    /// Likewise, where the path leads elsewhere for sure: that everything may have changed is told after it.
    func namesChanged(_ events: [InotifyEvent], inLeft target: PathTarget?)
    /// The target may be another one, and every name in it may have changed.
    func everythingMayHaveChanged()
    /// Others may be allowed to enter the target now; what happened in it was told.
    func accessMayHaveChanged()
    /// The path leads where it did, or nowhere as before; in between it may have led elsewhere. All that happened in
    /// the target was told.
    func pathMayHaveLedElsewhere()
    /// The file system that the target was in is gone. That everything may have changed is told after it.
    func fileSystemWasUnmounted()
    /// Nobody told, but it is time to look whether anything changed. True where something had.
    func lookForChanges() -> Bool
}

extension PathWatchDelegate {
    /// To some that does not matter.
    package func namesChanged(_ events: [InotifyEvent], inLeft target: PathTarget?) {
        namesChanged(events, in: target)
    }

    /// Who keeps no more than what was there last has missed nothing.
    package func pathMayHaveLedElsewhere() {}

    /// To most it is a change like others.
    package func fileSystemWasUnmounted() {}

    /// What could not be read may be readable now.
    package func accessMayHaveChanged() { everythingMayHaveChanged() }
}
