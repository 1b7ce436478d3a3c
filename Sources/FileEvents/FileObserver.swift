public import Dispatch
import SystemCalls

/// Tells what happens to the file at a path: the counterpart of `DispatchSource.makeFileSystemObjectSource`, which Linux
/// lacks.
///
/// Where Darwin's source watches an open file, this one follows the *path*: it goes on when an editor saves by rename,
/// when the file or any directory above it is deleted and made again, and when the file is not there yet. Symbolic links
/// are followed, and watched; not where they lead to a path that is not UTF-8, which is as if nothing were there.
///
/// While the path leads to a directory, that entries are made, removed or renamed in it is its ``FileSystemEvent/write``;
/// what happens within them is not told.
///
/// ```swift
/// let observer = FileObserver(path: "/etc/lamp.conf", eventMask: [.write, .delete], queue: queue)
/// observer.setEventHandler { print("changed:", observer.data) }
/// observer.activate()
/// ```
///
/// Events are hints: read the file to know what is in it. Several events between two calls are merged into ``data``.
/// Where the kernel cannot notify (network file systems, no inotify watch left) the file is looked at every 250 ms to 2 s.
/// There a change is told once more when the file has come to rest, because two changes within one tick of a file system's
/// clock look like one.
public final class FileObserver: Sendable {
    /// What happened to what is at the path.
    public struct FileSystemEvent: OptionSet, Hashable, Sendable {
        /// One bit for each event; the numbers are this library's own.
        public let rawValue: UInt

        /// The events of these bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The path leads to no file any more.
        public static let delete = FileSystemEvent(rawValue: 1)
        /// The content changed, or may have: written in place, or another file was put in its place. A directory's content
        /// is which entries it has.
        public static let write = FileSystemEvent(rawValue: 2)
        /// The file grew or shrank while it was written in place.
        public static let extend = FileSystemEvent(rawValue: 4)
        /// Owner, permissions or times changed.
        public static let attrib = FileSystemEvent(rawValue: 8)
        /// A name for the file was made at the path: it was created, or linked there.
        public static let link = FileSystemEvent(rawValue: 16)
        /// A file was renamed to the path, or away from it.
        public static let rename = FileSystemEvent(rawValue: 32)
        /// The file system was unmounted, or the directory is another one now.
        public static let revoke = FileSystemEvent(rawValue: 64)

        /// Every event.
        public static let all: FileSystemEvent = [.delete, .write, .extend, .attrib, .link, .rename, .revoke]
    }

    private let core: FileObserverCore

    /// An observer that does nothing until ``activate()``.
    ///
    /// - Parameters:
    ///   - path: The file's path; a relative one is meant from the directory that is current now. Nothing needs to be there.
    ///   - eventMask: Which events call the handler.
    ///   - queue: Where the handlers are called, one at a time, in one block for each call; on a thread of the library
    ///     where it is nil.
    public init(path: String, eventMask: FileSystemEvent = .all, queue: DispatchQueue? = nil) {
        core = FileObserverCore(path: path, mask: eventMask, queue: queue)
    }

    /// As if cancelled; the cancel handler is called.
    deinit {
        core.cancel()
    }

    /// Which events call the handler.
    public var mask: FileSystemEvent { core.mask }

    /// Within the event handler: what happened since its last call. Elsewhere: what it was called with last.
    public var data: FileSystemEvent { core.data }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { core.isCancelled }

    /// Called for events from now on, one call at a time. Replaces the handler that was there.
    public func setEventHandler(handler: (@Sendable () -> Void)?) {
        core.setEventHandler(handler)
    }

    /// Called once, after the last call of the event handler has ended, when the observer was cancelled.
    public func setCancelHandler(handler: (@Sendable () -> Void)?) {
        core.setCancelHandler(handler)
    }

    /// Begins to observe: what happens after this returns is told. A second call does nothing.
    public func activate() {
        core.activate()
    }

    /// Ends it for good: the event handler is not called again, but for a call that another thread is making just now;
    /// this does not wait for it. The cancel handler comes after.
    public func cancel() {
        core.cancel()
    }
}
