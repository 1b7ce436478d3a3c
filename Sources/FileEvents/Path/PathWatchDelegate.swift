/// Notified by a ``PathWatch``, on a thread of the pool and outside of any lock.
package protocol PathWatchDelegate: AnyObject, Sendable {
    /// What happened to names in the directory `target`, in order. Each of these events has a name, possibly an empty
    /// one. The path may lead elsewhere by now; if it is known to, `isLeft` is true, and `everythingMayHaveChanged` is
    /// called after this.
    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?, isLeft: Bool)
    /// The target may be another one, and every name in it may have changed.
    func everythingMayHaveChanged()
    /// Others may be allowed to enter the target now; all that happened in it was reported.
    func accessMayHaveChanged()
    /// The path leads where it did, or nowhere as before; in between it may have led elsewhere. All that happened in
    /// the target was reported.
    func pathMayHaveLedElsewhere()
    /// The file system that the target was in is gone. `everythingMayHaveChanged` is called after it.
    func fileSystemWasUnmounted(with target: PathTarget?)
    /// Nothing was reported, but it is time to look whether anything has changed. Returns true if something has.
    func lookForChanges() -> Bool
}

extension PathWatchDelegate {
    /// A delegate that keeps only what was there last has missed nothing.
    package func pathMayHaveLedElsewhere() {}

    /// For most delegates it is a change like any other.
    package func fileSystemWasUnmounted(with target: PathTarget?) {}

    /// What could not be read may be readable now.
    package func accessMayHaveChanged() { everythingMayHaveChanged() }
}

extension PathWatchDelegate {
    /// Notifies of what events meant. `isLeft`: the path leads elsewhere than to `target` now.
    func tell(_ found: WatchedDirectories.Consequences, about target: PathTarget?, isLeft: Bool) {
        if !found.changes.isEmpty { namesChanged(found.changes, in: target, isLeft: isLeft) }
        if found.isUnmounted { fileSystemWasUnmounted(with: target) }
        if found.mayHaveMissedEvents {
            everythingMayHaveChanged()
        } else {
            if found.mayHaveLedElsewhere { pathMayHaveLedElsewhere() }
            if found.accessMayHaveChanged { accessMayHaveChanged() }
        }
    }
}
