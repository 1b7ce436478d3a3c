import SystemCalls

/// Whom the watch of a directory's entries tells: an observer of the directory.
final class EntryListener: PathWatchDelegate {
    private weak let core: FileObserverCore?

    init(_ core: FileObserverCore) {
        self.core = core
    }

    /// What happens within a file is nothing that happens to the directory.
    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?) {
        if events.contains(where: { !$0.mask.isDisjoint(with: .namesChanged) }) { core?.entriesChanged() }
    }

    /// Which entries there are is as it was.
    func accessMayHaveChanged() {}

    func everythingMayHaveChanged() {
        core?.entriesMayHaveChanged()
    }

    func fileSystemWasUnmounted() {
        core?.fileSystemWasUnmounted()
    }

    func lookForChanges() -> Bool { core?.lookForChanges() ?? false }
}
