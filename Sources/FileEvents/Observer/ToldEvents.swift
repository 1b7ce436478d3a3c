import SystemCalls

/// What the kernel told of one name, as events.
struct ToldEvents {
    typealias Event = FileObserver.FileSystemEvent

    private(set) var event: Event = []
    /// Whether the name was gone after the last that was told.
    private var isGone = false

    init(_ changes: [InotifyEvent], of name: ExactName) {
        for change in changes {
            // An empty one is that of another file, also beside the root's, which is empty, too.
            guard let changed = change.name, changed != "", ExactName(changed) == name else { continue }
            let mask = change.mask
            if mask.contains(.modify) { event.formUnion([.write, .extend]) }
            if mask.contains(.closeWrite) { event.formUnion(.write) }
            if mask.contains(.attributes) { event.formUnion(.attrib) }
            if mask.contains(.create) { event.formUnion([.link, .write]) }
            if mask.contains(.movedTo) { event.formUnion([.rename, .write]) }
            if mask.contains(.movedFrom) { event.formUnion(.rename) }
            if mask.contains(.delete) { event.formUnion(.delete) }
            if !mask.isDisjoint(with: .namesChanged) {
                // An exchange tells this in the end, too: better one event too many than one too few.
                isGone = !mask.isDisjoint(with: .gone)
            }
        }
    }

    /// With what an event that comes late does not say: who looks again finds no difference any more. `isLost`: the path
    /// leads elsewhere by now, and what else happens to that name is not told.
    func completed(before: FileStatus?, now: FileStatus?, isLost: Bool) -> Event {
        var event = event
        if now == nil, before != nil || isLost || event.contains(.rename) { event.formUnion(.delete) }
        if now != nil, before == nil { event.formUnion([.link, .write]) }
        // It was made again before anybody asked to be told of that.
        if now != nil, isGone { event.formUnion(.link) }
        // Deleted, and there is one again already: what made it may have been told of a directory that is gone.
        if now != nil, !event.isDisjoint(with: [.delete, .rename]) { event.formUnion(.write) }
        return event
    }
}
