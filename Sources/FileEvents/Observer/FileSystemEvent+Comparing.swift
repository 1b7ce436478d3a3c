import SystemCalls

extension FileObserver.FileSystemEvent {
    /// What must have happened between two looks; empty if they found the same. `isElsewhere`: the path leads to
    /// another directory now.
    static func between(_ before: FileStatus?, _ now: FileStatus?, isElsewhere: Bool) -> Self {
        let event = between(before, now)
        // The other directory's file was there all the time; nothing was renamed.
        return isElsewhere ? event.subtracting(.rename).union(.revoke) : event
    }

    private static func between(_ before: FileStatus?, _ now: FileStatus?) -> Self {
        switch (before, now) {
        case (nil, nil): return []
        case (nil, _): return [.link, .write]
        case (_, nil): return .delete
        case (let before?, let now?):
            if before.identity != now.identity { return [.write, .attrib, .rename] }
            return now.kind == .directory ? ofDirectory(before, now) : ofFile(before, now)
        }
    }

    private static func ofFile(_ before: FileStatus, _ now: FileStatus) -> Self {
        var event: Self = before.changed == now.changed ? [] : .attrib
        if before.size != now.size { event.formUnion([.write, .extend]) }
        // If nothing explains why its change time moved, it may have been written, and its modification time set back.
        let isExplained = before.links != now.links || now.hasOtherRights(than: before)
        if before.modified != now.modified || before.changed != now.changed && !isExplained { event.formUnion(.write) }
        return event
    }

    /// Entries that come and go change a directory's times, and maybe its size.
    private static func ofDirectory(_ before: FileStatus, _ now: FileStatus) -> Self {
        var event: Self = before.modified == now.modified ? [] : .write
        if now.hasOtherRights(than: before) { event.formUnion(.attrib) }
        return event
    }
}

extension FileStatus {
    fileprivate func hasOtherRights(than other: FileStatus) -> Bool {
        (permissions, owner, group) != (other.permissions, other.owner, other.group)
    }
}
