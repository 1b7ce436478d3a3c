import FileEvents
import SystemCalls

/// Watches the names in a directory for one listener, and passes on which of them come and go.
final class DirectoryNames: PathWatchDelegate {
    private weak let listener: (any NamesListener)?
    /// Guarded, because it can be set only when `self` can be passed to it as its delegate.
    private let watch = Guarded<PathWatch?>(nil)

    init(path: String, usesNotifications: Bool, listener: any NamesListener) {
        self.listener = listener
        let watch = PathWatch(
            path: path, leaf: nil, watchesNewNames: true, usesNotifications: usesNotifications, delegate: self)
        self.watch.withLock { $0 = watch }
    }

    func cancel() {
        watch.withLock { $0.take() }?.cancel()
    }

    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?, isLeft: Bool) {
        var names: Set<ExactName> = []
        for event in events where !event.mask.isDisjoint(with: .namesChanged) {
            guard let name = event.name, let first = name.utf8.first, first != UInt8(ascii: ".") else { continue }
            names.insert(ExactName(name))
        }
        if !names.isEmpty { listener?.namesMayHaveChanged(names, isSettled: false) }
    }

    func everythingMayHaveChanged() {
        listener?.namesMayHaveChanged(nil, isSettled: false)
    }

    func lookForChanges() -> Bool {
        listener?.namesMayHaveChanged(nil, isSettled: false) ?? false
    }
}
