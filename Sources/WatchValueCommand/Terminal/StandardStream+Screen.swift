import SystemCalls

extension StandardStream {
    /// Whether it is a terminal that obeys escape sequences; a dumb one shows them.
    var isScreen: Bool { isTerminal && CurrentProcess.environmentBytes("TERM") != Array("dumb".utf8) }
}
