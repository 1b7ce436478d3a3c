import SystemCalls

extension Errno {
    /// Whether something has run out that becomes available again by itself.
    var isExhaustion: Bool { isWantOfDescriptors || self == .noMemory }
    /// How long to wait before the next attempt: nothing reports that it is available again.
    static var exhaustionPause: Duration { .milliseconds(250) }
}
