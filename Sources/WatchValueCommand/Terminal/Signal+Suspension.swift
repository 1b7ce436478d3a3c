import SystemCalls

extension Signal {
    /// Stops this process until its shell continues it, as Ctrl-Z would where it is not waited for.
    ///
    /// By a signal that is not blocked, and that stops nobody whom no shell could continue: SIGSTOP would do so.
    static func suspendThisProcess() throws(Failure) {
        try Failure.wrapping("stop") { () throws(Errno) in try terminalOutput.send(to: CurrentProcess.identifier) }
    }
}
