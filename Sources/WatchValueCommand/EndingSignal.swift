import SystemCalls

/// A signal that asks this process to end.
struct EndingSignal: Hashable, Sendable {
    let signal: Signal
    /// Whether it came from the terminal: then all processes there got it, also this one's children, and the script or
    /// program that runs it.
    let isFromTerminal: Bool

    /// The kernel sends some to this process alone: once a timer has rung, for example, or a limit is reached.
    init(_ signal: Signal, isFromKernel: Bool = false) {
        self.signal = signal
        isFromTerminal = isFromKernel && [.hangup, .interrupt, .quit].contains(signal)
    }

    /// Whether this process has to die of it, and not merely end. A shell that gets Ctrl-C ends its script only if the
    /// command died of that, too: otherwise the command may have used Ctrl-C for something else, as an editor does.
    var isToBeDiedOf: Bool { isFromTerminal && signal == .interrupt }
}
