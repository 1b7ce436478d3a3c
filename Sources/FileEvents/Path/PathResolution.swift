import SystemCalls

/// Walks a path component by component, watching each directory before the next component is looked up in it, so that
/// whatever changes afterwards is told.
struct PathResolution {
    /// A directory on the way may be moved or removed.
    private static let ancestorMask: InotifyMask = [.moveSelf, .deleteSelf]
    /// The removal of a directory that somebody has open, or stands in: the directory itself tells it only when the last
    /// one has left it, its parent at once.
    private static let removalMask: InotifyMask = .delete
    /// The last directory that there is on the way: by another one that is renamed over it, its link count changes.
    private static let lastMask: InotifyMask = .attributes
    private static let contentsMask: InotifyMask = [.modify, .closeWrite, .attributes]
    /// Not that a name is made: only one that is missing can be.
    private static let defaultTargetMask: InotifyMask = contentsMask.union([
        .delete, .movedFrom, .movedTo, .moveSelf, .deleteSelf, .excludeUnlinked,
    ])
    /// Another thing may come to bear a name that something bears.
    private static let exchangedMask: InotifyMask = [.delete, .movedFrom, .movedTo]
    private static let mostLinks = 40

    private(set) var watches: [Int32: WatchInterest] = [:]
    /// Every watch that was added on the way, also in attempts that came to nothing.
    private(set) var touched: Set<Int32> = []
    /// The watch of the target directory, where there is one.
    private(set) var targetWatch: Int32?
    private(set) var target: PathTarget?
    private(set) var health = WatchHealth.live
    /// Why the path leads nowhere, where that is no want of a directory: a link leads on without end, no text says where to,
    /// the directory is missing that the file behind it would be in, something else is in a directory's place, or nobody may
    /// look.
    private(set) var refusal: Errno?

    private let targetMask: InotifyMask
    private let watchesNewNames: Bool
    /// Of a file's directory, the file's name alone matters.
    private let watchesOnlyLeaf: Bool
    private let add: (String, WatchInterest) throws(Errno) -> Int32
    /// Why something on the way could not be watched.
    private var blindness: String?
    /// Whether a link to what a process has open was followed in the leaf's place.
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

    /// False where the path changed under the walk, which then has to begin anew.
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
                // The directory holds a link, no more: what is written in it is nothing to us.
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

    /// Watches the directory that the next name is looked up in. False where it is gone.
    private mutating func watchDirectory(on route: PathRoute) -> Bool {
        guard let next = route.nextDirectory else {
            guard let watch = watch(route.prefix, targetMask, hasAllNames: !watchesOnlyLeaf) else { return false }
            targetWatch = watch < 0 ? nil : watch
            return true
        }
        // The root neither moves nor goes, but what it holds may.
        if !route.prefix.isEmpty || route.isBeforeEnd {
            // Somebody may have asked for removals there.
            let name = route.isBeforeEnd ? next : nil
            if watch(route.prefix, Self.ancestorMask, name) == nil { return false }
        }
        // A client that wants all names may find none, and then the directory may be removed.
        if watchesNewNames, route.isBeforeEnd, watch(route.prefix, Self.removalMask) == nil { return false }
        return true
    }

    /// No directory bears the next name.
    private mutating func leadNowhere(_ route: PathRoute, _ found: Found) {
        if route.isBehindLeaf { refusal = if case .other = found { .notDirectory } else { .noEntry } }
        if case .other = found, route.leaf == nil { refusal = .notDirectory }
        health = blindness.map { .polling(reason: $0) } ?? .waitingForDirectory
    }

    private enum Found {
        case directory, other, missing, changing
        case link(to: String)
        /// Of /proc, and only the kernel can follow it.
        case opaqueLink
        case refused(String)
    }

    /// What bears the name. Where that may become another thing without the directory's own watch telling it, the
    /// directory is also watched for the name first, and looked at again: for no more than can happen to what was found.
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
                mask = .namesChanged  // Something may come to bear the name.
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

    /// Where the link at a path leads. What one of a process in /proc opens may have no path: by the text one would come to
    /// another file of the same name where the process is in another mount namespace, or has gone elsewhere since.
    private mutating func follow(_ path: String, in prefix: String, isLast: Bool) throws(Errno) -> Found {
        guard try Path.isOfProcesses(prefix.isEmpty ? "/" : prefix) else {
            return .link(to: try Path.linkTarget(of: path))
        }
        let target = try Self.text(of: path)
        // Such as self, and mounts. That of a pipe is no path.
        if let target, !Path.isAbsolute(target), try Path.isSamePlace(path, prefix + "/" + target) {
            return .link(to: target)
        }
        // What this process opens, or where it goes, is its own affair.
        if !ProcessTable.isOwn(prefix) { blindness = Self.processesAreSilent }
        if !isLast { return try Path.status(of: path).kind == .directory ? .opaqueLink : .other }
        // A file is replaced in its directory, which nothing but the text tells.
        guard let target, Path.isAbsolute(target), try Path.isSamePlace(path, target) else { throw .crossDevice }
        isOpenFile = true
        return .link(to: target)
    }

    /// Nil where it is too long, or not UTF-8: the kernel follows the link all the same.
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

    /// A directory in which the next name is missing may be removed. False where that happened before it would be told.
    private mutating func watchRemoval(of prefix: String, without name: String) -> Bool {
        guard let parent = Path.beforeLastSlash(prefix) else { return true }
        // No name that could be removed leads to what only the kernel finds.
        if PathRoute.isOpaque(prefix) { return watch(prefix, Self.lastMask) != nil }
        if watch(parent, Self.removalMask, Path.afterLastSlash(prefix)) == nil { return false }
        guard let watch = watch(prefix, Self.lastMask) else { return false }
        // What was looked into before is what bears the name still.
        return watch < 0 || watches[watch]?.names.contains(ExactName(name)) == true
    }

    /// The watch's number, -1 where it cannot be had, nil where the directory is gone.
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
        } catch .noEntry {
            return nil
        } catch .notDirectory {
            return nil
        } catch .noSpace {
            blindness = "no inotify watch left; raise fs.inotify.max_user_watches"
        } catch .tooManyOpenFiles {
            blindness = "no inotify instance or descriptor left; raise fs.inotify.max_user_instances, or ulimit -n"
        } catch .accessDenied where mask == Self.ancestorMask || mask == Self.removalMask {
            // It cannot be told when this one is moved away, or the one below removed; the heartbeat sees it.
        } catch {
            blindness = "\(path) cannot be watched: \(error)"
        }
        return -1
    }

    /// A single file that is mounted, as containers get them: its events go where it came from.
    private static func isMounted(_ path: String) -> Bool {
        do throws(Errno) {
            return try Path.isMountPoint(path)
        } catch {
            return false  // It is missing, or there is no telling.
        }
    }

    /// Opens nothing: where no descriptor is left the directory is there all the same.
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
        } catch .noEntry {
            return false
        } catch .notDirectory {
            return false
        } catch {
            if target == nil { refusal = error }
            blindness = "\(path): \(error)"
        }
        if let blindness { health = .polling(reason: blindness) }
        return true
    }
}
