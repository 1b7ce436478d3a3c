import SystemCalls

extension FileObserver.FileSystemEvent {
    /// What must have happened between two looks; nothing where they found the same. `isElsewhere`: in another directory.
    static func between(_ before: Fingerprint?, _ now: Fingerprint?, isElsewhere: Bool) -> Self {
        var event: Self = isElsewhere ? .revoke : []
        if now == before { return event }
        switch (before, now) {
        case (nil, _): event.formUnion([.link, .write])
        case (_, nil): event.formUnion(.delete)
        case (let before?, let now?):
            event.formUnion([.write, .attrib])
            if before.identity != now.identity, !isElsewhere { event.formUnion(.rename) }
            if before.size != now.size { event.formUnion(.extend) }
        }
        return event
    }
}
