/// Descriptors that are open only to spare the next call: they are closed where there is none left for another.
package enum SpareDescriptors {
    private static let closer = Guarded<(@Sendable () -> Void)?>(nil)

    /// `close` closes them. It is called under whatever locks a call is made under.
    package static func register(_ close: @escaping @Sendable () -> Void) {
        closer.withLock { $0 = close }
    }

    /// Closes them where a call failed for want of a descriptor. False where it failed for something else: true says that it
    /// may be made once more, also where there were none, because another thread may have closed them meanwhile.
    static func close(for error: Errno) -> Bool {
        // Another thread may have been at them when the process was forked.
        if error != .tooManyOpenFiles && error != .fileTableFull || CurrentProcess.isForked { return false }
        closer.withLock { $0 }?()
        return true
    }
}
