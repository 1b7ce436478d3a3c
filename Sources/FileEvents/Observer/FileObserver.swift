public import Dispatch

/// Reports what happens to the file at a path: the counterpart of `DispatchSource.makeFileSystemObjectSource`, which
/// Linux lacks.
///
/// Where Darwin's source watches an open file, this one follows the *path*: it continues when an editor saves by
/// rename, when the file or any directory above it is deleted and re-created, and when the file does not exist yet.
/// Symbolic links are followed, and watched, except to a path that is not UTF-8, which counts as missing; so does a
/// path that takes more than 4095 bytes once its links are followed.
///
/// While the path leads to a directory, creating, removing or renaming an entry counts as its
/// ``FileSystemEvent/write``; what happens within the entries is not reported. Entries are watched only if the mask
/// contains `.write`; or `.attrib`, where the directory is a mount point.
///
/// ```swift
/// final class Lamp {
///     private let observer = FileObserver(path: "/etc/lamp.conf", eventMask: [.write, .delete])
///
///     init() {
///         observer.setEventHandler { [weak observer] in print("changed:", observer?.data ?? []) }
///         observer.activate()
///     }
/// }
/// ```
///
/// Observing ends with ``cancel()``, or when the last reference to the observer is released. Until then the observer
/// holds its handlers, and everything that they capture: a handler that captures its own observer keeps it alive until
/// `cancel()`, so capture it `weak`, and keep the observer itself in a property.
///
/// In a forked child that has not called exec, observers do nothing: no handler is called, ``data`` is empty, and
/// ``isCancelled`` is true. Releasing one there changes nothing in the parent.
///
/// Events are hints: read the file to know its content. Several events between two calls are merged into ``data``.
///
/// Some changes cause no event in the path's directories. The observer also looks without an event, at least every 30
/// seconds, and finds these changes then:
/// - a write through another hard link to the file, or through a shared mapping;
/// - in a case-insensitive directory, what happens to the file under another spelling of its name.
///
/// Mounting something over the path, or removing a bind mount, causes no event either: the observer learns of it at
/// once from the kernel's table of mounts or, without `/proc` or timerfd_create(2), within the same 30 seconds.
///
/// While the path cannot be examined, for example because permission to search a directory above the file was revoked,
/// the file does not count as deleted: what has changed is reported once the path can be examined again.
///
/// Where the kernel does not report changes (network file systems, no inotify watch left) the file is polled every
/// 250 ms to 2 s for its identity, size, permissions and times: a change that affects none of these, as with most files
/// in `/proc` and `/sys`, is not seen. A change that polling finds within two seconds is reported a second time once
/// the file is stable, because two changes within one tick of a file system's clock look like one. ``health`` says
/// whether the file is polled, and why.
public final class FileObserver: Sendable {
    /// What happened at the path.
    public struct FileSystemEvent: OptionSet, Hashable, Sendable {
        /// One bit for each event. The numbers are this library's own, and not those of Darwin's `NOTE_` constants:
        /// ported code names the events.
        public let rawValue: UInt

        /// The events with these bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The path no longer leads to a file. Once the handler has been called, this is also reported where the path
        /// led to no file before and still leads to none, but something on its way came or went: there may have been a
        /// file for a moment.
        public static let delete = FileSystemEvent(rawValue: 1)
        /// The content changed, or may have: the file was written in place, or replaced by another one. A directory's
        /// content is the set of its entries.
        public static let write = FileSystemEvent(rawValue: 2)
        /// The file was written in place, or truncated, so that it may have grown or shrunk. Another file of another
        /// size in its place does not count as extended, nor does a directory.
        public static let extend = FileSystemEvent(rawValue: 4)
        /// Owner, permissions or times changed. For a directory, changes that its entries make to its times do not
        /// count.
        public static let attrib = FileSystemEvent(rawValue: 8)
        /// A name for the file was created at the path: the file was created, or linked there. Darwin's `.link` means
        /// something else, that the number of the file's names changed: names other than the path are not watched here.
        public static let link = FileSystemEvent(rawValue: 16)
        /// A file was renamed to the path, or away from it. Where that file was a symbolic link, or has replaced one,
        /// this may be left out: what it has changed is reported, as by `.delete` or `.write`, and `.revoke` if the
        /// path has led into a different directory since then.
        public static let rename = FileSystemEvent(rawValue: 32)
        /// The file system was unmounted, or the path now leads into a different directory.
        public static let revoke = FileSystemEvent(rawValue: 64)

        /// Every event.
        public static let all: FileSystemEvent = [.delete, .write, .extend, .attrib, .link, .rename, .revoke]
    }

    private let core: FileObserverCore

    /// An observer that does nothing until ``activate()``.
    ///
    /// - Parameters:
    ///   - path: The file's path. Nothing needs to exist there. A relative path starts from what is the current
    ///     directory at this call. A slash at its end is dropped: what is there need not be a directory. Nothing is
    ///     ever reported if the path is empty or contains NUL, or if it is relative and the current directory's own
    ///     path is not UTF-8, or takes 4096 bytes or more.
    ///   - eventMask: The events for which the handler is called.
    ///   - queue: Where the handlers are called, one at a time, in one block per call; nil means on a thread of the
    ///     library. All observers share these threads, of which there are at most 66: while handlers block all of them,
    ///     no other handler is called, not even on a queue. Give a handler that may block for long a queue of its own.
    public init(path: String, eventMask: FileSystemEvent = .all, queue: DispatchQueue? = nil) {
        core = FileObserverCore(path: path, mask: eventMask, queue: queue)
    }

    /// Cancels, but does not wait for a call in progress. The cancel handler is called.
    deinit {
        core.cancel(mayWait: false)
    }

    /// The events for which the handler is called.
    public var mask: FileSystemEvent { core.mask }

    /// Within the event handler: what happened since its previous call. Elsewhere: what it was last called with.
    public var data: FileSystemEvent { core.data }

    /// Whether ``cancel()`` was called, or the observer is a forked child's.
    public var isCancelled: Bool { core.isCancelled }

    /// How changes are detected at this moment. Nil while nothing is observed: before ``activate()``, after
    /// ``cancel()``, in a forked child, and where nothing can ever be reported for the path.
    public var health: WatchHealth? { core.health }

    /// Sets the handler that is called for events from now on, one call at a time, in place of the previous one. The
    /// observer holds it until ``cancel()``, or until it is replaced. Events that come while there is no handler are
    /// not kept for the next one. A handler that is set after ``cancel()`` is dropped.
    public func setEventHandler(handler: (@Sendable () -> Void)?) {
        core.setEventHandler(handler)
    }

    /// Sets the handler that is called once when the observer has been cancelled, after the last call of the event
    /// handler has ended: on the queue, or on a thread of the library, never within ``cancel()``. A handler that is set
    /// after that call has begun is dropped.
    public func setCancelHandler(handler: (@Sendable () -> Void)?) {
        core.setCancelHandler(handler)
    }

    /// Starts observing: whatever happens after this returns is reported, if the kernel reports it. A second call does
    /// nothing.
    public func activate() {
        core.activate()
    }

    /// Ends observing for good: once this has returned, the event handler does not start again. The cancel handler is
    /// called after the event handler's last call has ended.
    ///
    /// If a thread of the library is calling the event handler at this moment, this waits until it ends: do not hold a
    /// lock that the handler takes. It does not wait
    /// - inside any handler of this library, so that handlers may cancel themselves and each other;
    /// - where the last reference is released, which cancels, too;
    /// - where the handlers are called on a queue. There the promise holds for a `cancel()` made on that serial queue.
    public func cancel() {
        core.cancel(mayWait: true)
    }
}

extension FileObserver.FileSystemEvent: CustomStringConvertible {
    private static let names: [(event: Self, name: String)] = [
        (.delete, "delete"), (.write, "write"), (.extend, "extend"), (.attrib, "attrib"), (.link, "link"),
        (.rename, "rename"), (.revoke, "revoke"),
    ]

    /// The events' names, as in `[.delete, .write]`.
    public var description: String {
        var names = Self.names.filter { contains($0.event) }.map { "." + $0.name }
        let others = subtracting(.all).rawValue
        if others != 0 { names.append("rawValue: \(others)") }
        return "[" + names.joined(separator: ", ") + "]"
    }
}
