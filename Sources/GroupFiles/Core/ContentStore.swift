import FileEvents

/// What a container is built on: it leads names to cores, for as long as a listener lives. A directory is one, memory
/// another.
protocol ContentStore: AnyObject, Sendable {
    /// For errors.
    var path: String { get }
    /// Attaches the listener to its core, now and whenever the name leads to another one.
    func add(_ listener: any StoreListener)
    func remove(_ id: ObjectIdentifier)
    /// The path of the directory in which values are locked, if a look at the lock file by that path shows whether it
    /// is still the same directory.
    var pathForWriting: String? { get }
    /// For whom new files are made; nil: shared as the directory is.
    var sharing: Sharing? { get }
    /// The core that the name leads to, or led to a moment ago if there is a ``pathForWriting``. A missing directory is
    /// created if this `makesDirectory`; otherwise `.noDirectory` is thrown.
    func coreForWriting(_ listener: any StoreListener, makesDirectory: Bool) throws(GroupFileError) -> FileCore
    /// Whether the name leads to this core at this moment.
    func leads(_ listener: any StoreListener, to core: FileCore) -> PathAnswer
    /// Attaches listeners to where the path leads at this moment.
    func followPath()
    var health: WatchHealth { get }
}
