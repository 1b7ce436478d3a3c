import SystemCalls

extension FileObserver.FileSystemEvent {
    /// What must have happened between two looks; nothing where they found the same. `isElsewhere`: in another directory.
    static func between(_ before: FoundFile?, _ now: FoundFile?, isElsewhere: Bool) -> Self {
        let event = between(before, now)
        // Another file was there all the time, and none was renamed.
        return isElsewhere ? event.subtracting(.rename).union(.revoke) : event
    }

    private static func between(_ before: FoundFile?, _ now: FoundFile?) -> Self {
        switch (before, now) {
        case (nil, nil): return []
        case (nil, _): return [.link, .write]
        case (_, nil): return .delete
        case (let before?, let now?):
            if before.identity != now.identity { return [.write, .attrib, .rename] }
            var event: Self = []
            // Another name for the file changes its times, too, but not this one.
            if before.modified != now.modified { event.formUnion(.write) }
            if before.fingerprint.size != now.fingerprint.size, !now.isDirectory {
                event.formUnion([.write, .extend])
            }
            if now.hasOtherAttributes(than: before) { event.formUnion(.attrib) }
            return event
        }
    }
}
