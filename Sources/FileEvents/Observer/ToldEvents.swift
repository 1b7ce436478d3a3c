import SystemCalls

/// What the kernel reported about one name, as events.
struct ToldEvents {
    typealias Event = FileObserver.FileSystemEvent

    private(set) var event: Event = []
    /// Whether the name was gone after the last reported event.
    private var isGone = false

    init(_ changes: [InotifyEvent], of name: ExactName) {
        for change in changes {
            // An empty name is another file's, even if the watched name is empty, as it is for the root.
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
                // An exchange also ends with such an event: better one event too many than one too few.
                isGone = !mask.isDisjoint(with: .gone)
            }
        }
    }

    /// Adds what a late event leaves out, because the next look will find no difference any more. `isLost`: the path
    /// leads elsewhere by now, and what else happens to that name is not reported.
    func completed(before: FileStatus?, now: FileStatus?, isLost: Bool) -> Event {
        var event = event
        if now == nil, before != nil || isLost || event.contains(.rename) { event.formUnion(.delete) }
        if now != nil, before == nil { event.formUnion([.link, .write]) }
        // The file was created again before creation was watched for.
        if now != nil, isGone { event.formUnion(.link) }
        // The file was deleted, and one is there again already: the events of its creation may belong to a directory
        // that is gone.
        if now != nil, !event.isDisjoint(with: [.delete, .rename]) { event.formUnion(.write) }
        return event
    }
}
