/// How a path is being followed.
package enum WatchHealth: Hashable, Sendable {
    /// The kernel tells.
    case live
    /// The kernel cannot tell; the files are looked at every 250 ms to 2 s. The reason is for people.
    case polling(reason: String)
    /// The directory is not there; its nearest ancestor is watched.
    case waitingForDirectory
}
