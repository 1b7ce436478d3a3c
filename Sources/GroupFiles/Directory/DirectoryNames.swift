import FileEvents
import SystemCalls

/// Watches the names in a directory for one listener, and passes on which of them come and go.
///
/// 1. Names are *noted* by the thread that reads events, which must not wait for a listener that is just listing
///    thousands.
/// 2. A job *passes* them on.
final class DirectoryNames: PathWatchDelegate {
    private weak let listener: (any NamesListener)?
    /// Guarded, because it can only be made, with `self` as its delegate, once `self` is initialised.
    private let watch = Guarded<PathWatch?>(nil)
    /// What the next job passes on; empty if there is none.
    private let changed = Guarded<Set<ExactName>>([])

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
        if names.isEmpty { return }
        let wantsJob = changed.withLock { changed in
            defer { changed.formUnion(names) }
            return changed.isEmpty
        }
        if wantsJob { ThreadPool.shared.execute { [self] in passOn() } }
    }

    private func passOn() {
        let names = changed.withLock { exchange(&$0, with: []) }
        listener?.namesMayHaveChanged(names, isSettled: false)
    }

    func everythingMayHaveChanged() {
        listener?.namesMayHaveChanged(nil, isSettled: false)
    }

    func lookForChanges() -> Bool {
        listener?.namesMayHaveChanged(nil, isSettled: false) ?? false
    }
}
