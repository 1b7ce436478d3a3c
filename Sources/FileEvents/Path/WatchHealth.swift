/// How a path is being followed.
package enum WatchHealth: Hashable, Sendable {
    /// The kernel reports changes.
    case live
    /// The kernel does not report changes; the files are polled every 250 ms to 2 s. The string is human-readable.
    case polling(reason: String)
    /// The directory does not exist; its nearest ancestor is watched.
    case waitingForDirectory

    var isPolling: Bool {
        if case .polling = self { true } else { false }
    }
}
