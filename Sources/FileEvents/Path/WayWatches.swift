import SystemCalls

/// The watches along a path, as they are added, and why some could not be.
struct WayWatches {
    private(set) var interests: [Int32: WatchInterest] = [:]
    /// Every watch that was added, also those that have been forgotten since.
    private(set) var touched: Set<Int32> = []
    /// Why something on the way is not reported.
    var blindness: String?

    private let addWatch: (String, WatchInterest) throws(Errno) -> Int32

    /// `add` adds a watch to a directory, and returns its number.
    init(add: @escaping (String, WatchInterest) throws(Errno) -> Int32) {
        addWatch = add
    }

    /// For another attempt, in which the path may lead elsewhere.
    mutating func forget() {
        interests = [:]
        blindness = nil
    }

    mutating func add(_ prefix: String, _ mask: InotifyMask, _ name: String? = nil) -> Int32? {
        add(prefix, WatchInterest(mask: mask, names: name.map { [ExactName($0)] } ?? []))
    }

    /// The watch's number; -1 if it cannot be added, nil if the directory is gone.
    mutating func add(_ prefix: String, _ wanted: WatchInterest) -> Int32? {
        let path = prefix.isEmpty ? "/" : prefix
        do throws(Errno) {
            let watch = try addWatch(path, wanted)
            touched.insert(watch)
            interests[watch, default: WatchInterest()].formUnion(wanted)
            return watch
        } catch  where error.isNotFound {
            return nil
        } catch .noSpace {
            blindness = "no inotify watch left; raise fs.inotify.max_user_watches"
        } catch .tooManyOpenFiles {
            blindness = "no inotify instance or descriptor left; raise fs.inotify.max_user_instances, or ulimit -n"
        } catch .accessDenied where wanted.mask == .wayAncestor || wanted.mask == .wayRemoval {
            // A move of this directory, or the removal of the one below, is not reported; the heartbeat notices it.
        } catch {
            blindness = "\(path) cannot be watched: \(error)"
        }
        return -1
    }

    /// Watches a directory in which the next name is missing for its removal. False if that came before the watch.
    mutating func watchRemoval(of prefix: String, without name: String) -> Bool {
        guard let parent = Path.beforeLastSlash(prefix) else { return true }
        // What only the kernel can find has no name that could be removed.
        if PathRoute.isOpaque(prefix) { return add(prefix, .wayEnd) != nil }
        if add(parent, .wayRemoval, Path.afterLastSlash(prefix)) == nil { return false }
        guard let watch = add(prefix, .wayEnd) else { return false }
        // True if this is still the directory in which the name was found missing.
        return watch < 0 || interests[watch]?.names.contains(ExactName(name)) == true
    }

    /// The directory only holds a link: writes in it do not matter.
    mutating func ignoreContents(of watch: Int32) {
        interests[watch]?.mask.subtract(.wayContents)
        interests[watch]?.hasAllNames = false
        interests[watch]?.otherNames = []
    }
}

/// What is watched for along a path.
extension InotifyMask {
    /// A directory on the way may be moved or removed.
    static let wayAncestor: InotifyMask = [.moveSelf, .deleteSelf]
    /// The removal of a directory that a process has open, or works in: the directory itself reports it only once the
    /// last such process has left; its parent reports it at once.
    static let wayRemoval: InotifyMask = .delete
    /// The last existing directory on the way: if another one is renamed over it, its link count changes.
    fileprivate static let wayEnd: InotifyMask = .attributes
    /// Something else may take over a name that exists.
    static let wayExchange: InotifyMask = [.delete, .movedFrom, .movedTo]
    /// What happens to the files in the target.
    fileprivate static let wayContents: InotifyMask = [.modify, .closeWrite, .attributes]
    /// Without creation: only a missing name can be created.
    static let wayTarget: InotifyMask = wayContents.union([
        .delete, .movedFrom, .movedTo, .moveSelf, .deleteSelf, .excludeUnlinked,
    ])
}
