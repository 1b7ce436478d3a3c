/// Descriptors that are kept open only to save a later call: they are closed when no descriptor is left for another
/// call.
package enum SpareDescriptors {
    private struct Closer: Sendable {
        var close: (@Sendable () -> Void)?
    }

    /// What closes them; guarded by its lock.
    private static let closer = Guarded(Closer())

    /// `close` closes them. It is called under whatever locks the caller of a system call holds.
    package static func register(_ close: @escaping @Sendable () -> Void) {
        closer.withLock { $0.close = close }
    }

    /// Closes them if a call failed for want of a descriptor. False if it failed for another reason. True means that
    /// the call may be retried once, even if there was nothing to close: another thread may have closed them meanwhile.
    static func close(for error: Errno) -> Bool {
        // In a forked child, another thread may have been using them at the moment of the fork.
        if !error.isWantOfDescriptors || CurrentProcess.isForked { return false }
        closer.withLock { $0.close }?()
        return true
    }
}
