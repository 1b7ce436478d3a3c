import SystemCalls

/// Walks a path component by component, watching each directory before the next component is looked up in it, so that
/// every later change is reported.
struct PathResolution {
    private static let mostLinks = 40

    private(set) var watches: WayWatches
    /// The watch of the target directory, if there is one.
    private(set) var targetWatch: Int32?
    private(set) var target: PathTarget?
    private(set) var health = WatchHealth.live
    /// Why the path leads nowhere, other than for a missing directory on the way: there are too many links, a link has
    /// no text that says where it leads, the directory that a link leads to is missing, something else is in a
    /// directory's place, or looking is not permitted.
    private(set) var refusal: Errno?

    private let followed: FollowedPath
    /// Whether a link was found in the leaf's place before the directory was watched, so that the directory's contents
    /// are not watched.
    private var expectsLink = false
    /// Whether the leaf was a process's link to a file that it has open, and was followed.
    private var isOpenFile = false

    /// `add` watches a directory.
    init(_ followed: FollowedPath, add: @escaping (String, WatchInterest) throws(Errno) -> Int32) {
        self.followed = followed
        watches = WayWatches(add: add)
        for _ in 0..<Attempts.most {
            watches.forget()
            targetWatch = nil
            target = nil
            health = .live
            refusal = nil
            isOpenFile = false
            expectsLink = false
            if walk() { return }
        }
        health = .polling(reason: "the path keeps changing")
    }

    /// False if the path changed during the walk, which then has to start again.
    private mutating func walk() -> Bool {
        var route = PathRoute(followed.path, leaf: followed.leaf)
        while true {
            if route.isBeforeParent, !route.prefix.isEmpty, watches.add(route.prefix, .wayAncestor) == nil {
                return false
            }
            route.leaveForParents()
            guard watchDirectory(on: route) else { return false }
            guard let next = route.next else { return arrive(at: route.prefix, leaf: nil, .directory) }
            let found = look(for: next, in: route.prefix, watchingNames: route.isAtEnd)
            switch found {
            case .directory where !route.isAtEnd:
                route.enterDirectory()
            case .link where route.links == Self.mostLinks, .opaqueLink where route.links == Self.mostLinks:
                refusal = .tooManyLinks
                health = .polling(reason: "too many symbolic links")
                return true
            case .opaqueLink:
                route.enterOpaqueLink()
            case .link(let destination):
                if let targetWatch { watches.ignoreContents(of: targetWatch) }
                targetWatch = nil
                expectsLink = false
                route.follow(to: destination)
            case .changing:
                return false
            case .refused(let reason):
                health = .polling(reason: reason)
                return true
            case .directory, .other, .missing:
                if expectsLink { return false }
                if case .missing = found, !watches.watchRemoval(of: route.prefix, without: next) { return false }
                if route.isAtEnd { return arrive(at: route.prefix, leaf: next, found) }
                leadNowhere(route, found)
                return true
            }
        }
    }

    /// Watches the directory that the next name is looked up in. False if it is gone.
    private mutating func watchDirectory(on route: PathRoute) -> Bool {
        guard let next = route.nextDirectory else {
            expectsLink = route.next.map { Self.isLink(route.prefix + "/" + $0) } ?? false
            // The directory's contents do not matter then, and each time a mask is reduced again events may be lost.
            if expectsLink { return watches.add(route.prefix, .wayAncestor) != nil }
            guard let watch = watches.add(route.prefix, followed.interestInTarget) else { return false }
            targetWatch = watch < 0 ? nil : watch
            return true
        }
        // The root is never moved or removed, but its entries may be.
        if !route.prefix.isEmpty || route.isBeforeEnd {
            // The name is given, too, because other clients may have extended the shared watch to report removals.
            let name = route.isBeforeEnd ? next : nil
            if watches.add(route.prefix, .wayAncestor, name) == nil { return false }
        }
        // A client that watches new names may find none, and then the directory may be removed.
        if followed.watchesNewNames, route.isBeforeEnd, watches.add(route.prefix, .wayRemoval) == nil { return false }
        return true
    }

    private static func isLink(_ path: String) -> Bool {
        do throws(Errno) { return try Path.linkStatus(of: path).kind == .symbolicLink } catch { return false }
    }

    /// No directory has the next name.
    private mutating func leadNowhere(_ route: PathRoute, _ found: Found) {
        if route.isBehindLeaf { refusal = if case .other = found { .notDirectory } else { .noEntry } }
        if case .other = found, route.leaf == nil { refusal = .notDirectory }
        health = watches.blindness.map { .polling(reason: $0) } ?? .waitingForDirectory
    }

    private enum Found {
        case directory, other, missing, changing
        case link(to: String)
        /// A link in /proc that only the kernel can follow.
        case opaqueLink
        case refused(String)

        var isDirectory: Bool {
            if case .directory = self { true } else { false }
        }
    }

    /// What has the name. If it could be replaced without an event from its own watch, the directory above is first
    /// watched for the name, but only for what can happen to what was found, and then the name is examined again.
    private mutating func look(for name: String, in prefix: String, watchingNames: Bool) -> Found {
        let path = prefix + "/" + name
        var mask: InotifyMask = watchingNames ? .wayExchange : []
        while true {
            if mask != [], watches.add(prefix, mask, name) == nil { return .changing }
            do throws(Errno) {
                let status = try Path.linkStatus(of: path)
                switch status.kind {
                case .directory:
                    let isSilent = try FileSystemKind.isSubvolume(path, status)
                    return isSilent && watches.add(prefix, .wayRemoval, name) == nil ? .changing : .directory
                case _ where mask == []: mask = .wayExchange
                case .symbolicLink: return try follow(path, status, in: prefix, isLast: watchingNames)
                default: return .other
                }
            } catch .noEntry {
                if mask == .namesChanged { return missing(in: prefix, isLast: watchingNames) }
                mask = .namesChanged  // The name may be created.
            } catch .notDirectory {
                return .changing
            } catch .invalid {
                return .changing  // It was a link a moment ago.
            } catch {
                refusal = error
                return .refused("\(path): \(error)")
            }
        }
    }

    /// Where the link at a path leads.
    private mutating func follow(
        _ path: String, _ status: FileStatus, in prefix: String, isLast: Bool
    ) throws(Errno) -> Found {
        let directory = prefix.isEmpty ? "/" : prefix
        guard try Path.isOfProcesses(directory) else {
            let text = try Path.linkTarget(of: path)
            try noteBlindness(of: directory)
            if isLast, try !Self.mayFollow(path, status, in: directory) { return .changing }
            return .link(to: text)
        }
        let link = try ProcessLink(at: path)
        if let text = try link.relativeText(in: prefix) { return .link(to: text) }
        // What this process itself opens, or where it goes, needs no polling.
        if !ProcessTable.isOwn(prefix) { watches.blindness = ProcessLink.areSilent }
        if !isLast { return try link.leadsToDirectory ? .opaqueLink : .other }
        let file = try link.openFile()
        isOpenFile = true
        return .link(to: file)
    }

    /// In a directory where everybody may write, such as /tmp, the kernel follows a link to a file only if the link
    /// belongs to the caller or to the directory's owner, provided that fs.protected_symlinks is set. To make that hold
    /// here, too, this asks the kernel to follow the link; otherwise the kernel sees only the path that the link leads
    /// to. False if the link has been exchanged meanwhile.
    private static func mayFollow(_ path: String, _ link: FileStatus, in directory: String) throws(Errno) -> Bool {
        if try Path.status(of: directory).permissions & 0o1002 != 0o1002 { return true }
        do throws(Errno) { _ = try Path.status(of: path) } catch .accessDenied { throw .accessDenied } catch {}
        return try Path.linkStatus(of: path) == link
    }

    private mutating func missing(in prefix: String, isLast: Bool) -> Found {
        do throws(Errno) {
            if !isLast, try Path.isOfProcesses(prefix.isEmpty ? "/" : prefix) {
                watches.blindness = ProcessLink.areSilent
            }
        } catch {}  // The directory is gone, too.
        return .missing
    }

    private mutating func noteBlindness(of directory: String) throws(Errno) {
        if let kind = try FileSystemKind.withoutNotifications(directory) {
            watches.blindness = "\(kind) does not report changes made elsewhere"
        }
    }

    /// Ends the walk in the target directory, in which the leaf was found. Opens nothing: the directory exists even if
    /// no descriptor is left.
    private mutating func arrive(at prefix: String, leaf: String?, _ found: Found) -> Bool {
        let path = prefix.isEmpty ? "/" : prefix
        do throws(Errno) {
            let directory = try Path.linkStatus(of: path)
            if directory.kind != .directory { return false }
            target = PathTarget(identity: directory.identity, path: path, leaf: leaf, isOpenFile: isOpenFile)
            try noteBlindness(of: path)
            // Where a directory is mounted, it is its entries that matter, and these are watched.
            if let leaf, !found.isDirectory, MountedNames.isMounted(path + "/" + leaf) {
                watches.blindness = "the file \(MountedNames.blindness)"
            }
        } catch  where error.isNotFound {
            return false
        } catch {
            if target == nil { refusal = error }
            watches.blindness = "\(path): \(error)"
        }
        if let blindness = watches.blindness { health = .polling(reason: blindness) }
        return true
    }
}
