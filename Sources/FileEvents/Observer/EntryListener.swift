import SystemCalls

/// Passes the events of a directory's entries on to the observer of the directory.
final class EntryListener: PathWatchDelegate {
    private weak let core: FileObserverCore?

    init(_ core: FileObserverCore) {
        self.core = core
    }

    /// What happens within a file is no change of the directory.
    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?, isLeft: Bool) {
        if events.contains(where: { !$0.mask.isDisjoint(with: .namesChanged) }) { core?.entriesChanged() }
    }

    /// Where the directory is a mount point, its own permissions change without an event in the directory above.
    func accessMayHaveChanged() {
        core?.accessMayHaveChanged()
    }

    func everythingMayHaveChanged() {
        core?.entriesMayHaveChanged()
    }

    func fileSystemWasUnmounted(with target: PathTarget?) {
        core?.fileSystemWasUnmounted(with: nil)
    }

    func lookForChanges() -> Bool { core?.lookForChanges() ?? false }
}
