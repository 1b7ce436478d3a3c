import SystemCalls

/// Walks a path component by component, watching each directory before the next component is looked up in it, so that
/// every later change is reported.
struct PathResolution {
    /// A directory on the way may be moved or removed.
    private static let ancestorMask: InotifyMask = [.moveSelf, .deleteSelf]
    /// The removal of a directory that a process has open, or works in: the directory itself reports it only once the
    /// last one has left, its parent at once.
    private static let removalMask: InotifyMask = .delete
    /// The last existing directory on the way: if another one is renamed over it, its link count changes.
    private static let lastMask: InotifyMask = .attributes
    private static let contentsMask: InotifyMask = [.modify, .closeWrite, .attributes]
    /// Without creation: only a missing name can be created.
    private static let defaultTargetMask: InotifyMask = contentsMask.union([
        .delete, .movedFrom, .movedTo, .moveSelf, .deleteSelf, .excludeUnlinked,
    ])
    /// Something else may take over a name that exists.
    private static let exchangedMask: InotifyMask = [.delete, .movedFrom, .movedTo]
    private static let mostLinks = 40

    private(set) var watches: [Int32: WatchInterest] = [:]
    /// Every watch that was added on the way, also in failed attempts.
    private(set) var touched: Set<Int32> = []
    /// The watch of the target directory, if there is one.
    private(set) var targetWatch: Int32?
    private(set) var target: PathTarget?
    private(set) var health = WatchHealth.live
    /// Why the path leads nowhere, other than for a missing directory on the way: links lead on without end, a link has
    /// no text that says where, the directory behind a link is missing, something else is in a directory's place, or
    /// looking is not permitted.
    private(set) var refusal: Errno?

    private let targetMask: InotifyMask
    private let watchesNewNames: Bool
    /// Whether the file's name is the only one in its directory that matters.
    private let watchesOnlyLeaf: Bool
    private let add: (String, WatchInterest) throws(Errno) -> Int32
    /// Why something on the way could not be watched.
    private var blindness: String?
    /// Whether the leaf was a link to what a process has open, which was followed.
    private var isOpenFile = false

    /// `add` watches a directory; `path` is absolute; a `leaf` is a name in it, whose symbolic links are followed.
    init(
        path: String, leaf: String?, watchesNewNames: Bool, watchesOnlyLeaf: Bool,
        add: @escaping (String, WatchInterest) throws(Errno) -> Int32
    ) {
        self.add = add
        self.watchesOnlyLeaf = watchesOnlyLeaf && leaf != nil
        self.watchesNewNames = watchesNewNames
        targetMask = watchesNewNames ? Self.defaultTargetMask.union(.create) : Self.defaultTargetMask
        for _ in 0..<Attempts.most {
            watches = [:]
            targetWatch = nil
            target = nil
            health = .live
            refusal = nil
            blindness = nil
            isOpenFile = false
            if walk(path, leaf) { return }
        }
        health = .polling(reason: "the path keeps changing")
    }

    /// False if the path changed during the walk, which then has to start again.
    private mutating func walk(_ path: String, _ leaf: String?) -> Bool {
        var route = PathRoute(path, leaf: leaf)
        while true {
            if route.isBeforeParent, !route.prefix.isEmpty, watch(route.prefix, Self.ancestorMask) == nil {
                return false
            }
            route.leaveForParents()
            guard watchDirectory(on: route) else { return false }
            guard let next = route.next else { return arrive(at: route.prefix, leaf: nil) }
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
                // The directory only holds a link: writes in it do not matter.
                if let watch = targetWatch {
                    watches[watch]?.mask.subtract(Self.contentsMask)
                    watches[watch]?.hasAllNames = false
                }
                targetWatch = nil
                route.follow(to: destination)
            case .changing:
                return false
            case .refused(let reason):
                health = .polling(reason: reason)
                return true
            case .directory, .other, .missing:
                if case .missing = found, !watchRemoval(of: route.prefix, without: next) { return false }
                if route.isAtEnd { return arrive(at: route.prefix, leaf: next) }
                leadNowhere(route, found)
                return true
            }
        }
    }

    /// Watches the directory that the next name is looked up in. False if it is gone.
    private mutating func watchDirectory(on route: PathRoute) -> Bool {
        guard let next = route.nextDirectory else {
            guard let watch = watch(route.prefix, targetMask, hasAllNames: !watchesOnlyLeaf) else { return false }
            targetWatch = watch < 0 ? nil : watch
            return true
        }
        // The root is never moved or removed, but its entries may be.
        if !route.prefix.isEmpty || route.isBeforeEnd {
            // The name is given, too: others may have extended the shared watch by removals.
            let name = route.isBeforeEnd ? next : nil
            if watch(route.prefix, Self.ancestorMask, name) == nil { return false }
        }
        // A client that watches new names may find none, and then the directory may be removed.
        if watchesNewNames, route.isBeforeEnd, watch(route.prefix, Self.removalMask) == nil { return false }
        return true
    }

    /// No directory has the next name.
    private mutating func leadNowhere(_ route: PathRoute, _ found: Found) {
        if route.isBehindLeaf { refusal = if case .other = found { .notDirectory } else { .noEntry } }
        if case .other = found, route.leaf == nil { refusal = .notDirectory }
        health = blindness.map { .polling(reason: $0) } ?? .waitingForDirectory
    }

    private enum Found {
        case directory, other, missing, changing
        case link(to: String)
        /// A link in /proc that only the kernel can follow.
        case opaqueLink
        case refused(String)
    }

    /// What has the name. If that may be replaced without an event from its own watch, the directory above is first
    /// watched for the name, but for no more than can happen to what was found, and then examined again.
    private mutating func look(for name: String, in prefix: String, watchingNames: Bool) -> Found {
        let path = prefix + "/" + name
        var mask = watchingNames ? Self.exchangedMask : []
        while true {
            if mask != [], watch(prefix, mask, name) == nil { return .changing }
            do throws(Errno) {
                switch try Path.linkStatus(of: path).kind {
                case .directory: return .directory
                case _ where mask == []: mask = Self.exchangedMask
                case .symbolicLink: return try follow(path, in: prefix, isLast: watchingNames)
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

    /// Where the link at a path leads. What a process's link in /proc opens may have no path: its text would lead to
    /// another file of the same name if the process is in another mount namespace, or has moved on since.
    private mutating func follow(_ path: String, in prefix: String, isLast: Bool) throws(Errno) -> Found {
        guard try Path.isOfProcesses(prefix.isEmpty ? "/" : prefix) else {
            return .link(to: try Path.linkTarget(of: path))
        }
        let target = try Self.text(of: path)
        // Such as self, and mounts. The text of a pipe's link is no path.
        if let target, !Path.isAbsolute(target), try Path.isSamePlace(path, prefix + "/" + target) {
            return .link(to: target)
        }
        // What this process itself opens, or where it goes, needs no polling.
        if !ProcessTable.isOwn(prefix) { blindness = Self.processesAreSilent }
        if !isLast { return try Path.status(of: path).kind == .directory ? .opaqueLink : .other }
        // A file is replaced in its directory, which only the text names.
        guard let target, Path.isAbsolute(target), try Path.isSamePlace(path, target) else { throw .crossDevice }
        isOpenFile = true
        return .link(to: target)
    }

    /// Nil if it is too long, or not UTF-8: the kernel follows the link all the same.
    private static func text(of link: String) throws(Errno) -> String? {
        do throws(Errno) {
            return try Path.linkTarget(of: link)
        } catch  where error == .nameTooLong || error == .illegalByteSequence {
            return nil
        }
    }

    private mutating func missing(in prefix: String, isLast: Bool) -> Found {
        do throws(Errno) {
            if !isLast, try Path.isOfProcesses(prefix.isEmpty ? "/" : prefix) { blindness = Self.processesAreSilent }
        } catch {}  // It is gone, too.
        return .missing
    }

    private static let processesAreSilent = "proc does not tell what becomes of a process, and of its links"

    /// A directory in which the next name is missing may be removed. False if that happened before it was watched for.
    private mutating func watchRemoval(of prefix: String, without name: String) -> Bool {
        guard let parent = Path.beforeLastSlash(prefix) else { return true }
        // What only the kernel can find has no name that could be removed.
        if PathRoute.isOpaque(prefix) { return watch(prefix, Self.lastMask) != nil }
        if watch(parent, Self.removalMask, Path.afterLastSlash(prefix)) == nil { return false }
        guard let watch = watch(prefix, Self.lastMask) else { return false }
        // True if the directory that was examined still has its name.
        return watch < 0 || watches[watch]?.names.contains(ExactName(name)) == true
    }

    /// The watch's number; -1 if it cannot be added, nil if the directory is gone.
    private mutating func watch(
        _ prefix: String, _ mask: InotifyMask, _ name: String? = nil, hasAllNames: Bool = false
    ) -> Int32? {
        let path = prefix.isEmpty ? "/" : prefix
        let wanted = WatchInterest(
            mask: mask, names: name.map { [ExactName($0)] } ?? [], hasAllNames: hasAllNames)
        do throws(Errno) {
            let watch = try add(path, wanted)
            touched.insert(watch)
            watches[watch, default: WatchInterest()].formUnion(wanted)
            return watch
        } catch  where error.isNotFound {
            return nil
        } catch .noSpace {
            blindness = "no inotify watch left; raise fs.inotify.max_user_watches"
        } catch .tooManyOpenFiles {
            blindness = "no inotify instance or descriptor left; raise fs.inotify.max_user_instances, or ulimit -n"
        } catch .accessDenied where mask == Self.ancestorMask || mask == Self.removalMask {
            // A move of this directory, or the removal of the one below, is not reported; the heartbeat notices it.
        } catch {
            blindness = "\(path) cannot be watched: \(error)"
        }
        return -1
    }

    /// Whether a single file is mounted there, as in containers: its events go to the directory that it came from.
    private static func isMounted(_ path: String) -> Bool {
        do throws(Errno) {
            return try Path.isMountPoint(path)
        } catch {
            return false  // It is missing, or that cannot be determined.
        }
    }

    /// Opens nothing: the directory exists even if no descriptor is left.
    private mutating func arrive(at prefix: String, leaf: String?) -> Bool {
        let path = prefix.isEmpty ? "/" : prefix
        do throws(Errno) {
            let directory = try Path.linkStatus(of: path)
            if directory.kind != .directory { return false }
            target = PathTarget(identity: directory.identity, path: path, leaf: leaf, isOpenFile: isOpenFile)
            if let kind = try FileSystemKind.withoutNotifications(path) {
                blindness = "\(kind) does not tell of changes made elsewhere"
            }
            if let leaf, Self.isMounted(path + "/" + leaf) {
                blindness = "it is mounted there by itself, and the directory is not told of its changes"
            }
        } catch  where error.isNotFound {
            return false
        } catch {
            if target == nil { refusal = error }
            blindness = "\(path): \(error)"
        }
        if let blindness { health = .polling(reason: blindness) }
        return true
    }
}
