import SystemCalls

extension Errno {
    /// Want of something that becomes available again by itself.
    var isExhaustion: Bool { isWantOfDescriptors || self == .noMemory }
    /// After this time it is tried again: nothing reports that it is available.
    static var exhaustionPause: Duration { .milliseconds(250) }
}
