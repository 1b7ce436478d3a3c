import FileEvents

/// What a container is built on: it leads names to cores, for as long as a listener lives. One kind stores values in a
/// directory, another in memory.
protocol ContentStore: AnyObject, Sendable {
    /// For errors, and for the program.
    var path: String { get }
    /// Attaches the listener to its core, now and whenever the name leads to another one.
    func add(_ listener: any StoreListener)
    func remove(_ id: ObjectIdentifier)
    /// The path of the directory in which values are locked, if a look at the lock file by that path shows whether the
    /// path still leads to the same directory.
    var pathForWriting: String? { get }
    /// How new files are shared; nil means like their directory.
    var sharing: Sharing? { get }
    /// The core that the name leads to, or led to a moment ago if there is a ``pathForWriting``. If the directory is
    /// missing, it is created if `makesDirectory`; otherwise this throws `.noDirectory`.
    func coreForWriting(_ listener: any StoreListener, makesDirectory: Bool) throws(GroupFileError) -> FileCore
    /// Whether the name leads to this core at this moment.
    func leads(_ listener: any StoreListener, to core: FileCore) -> PathAnswer
    /// Resolves the path again, and attaches the listeners to where it leads now.
    func followPath()
    var health: WatchHealth { get }
}
