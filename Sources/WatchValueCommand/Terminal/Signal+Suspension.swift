import SystemCalls

extension Signal {
    /// Stops this process until its shell continues it, as Ctrl-Z would if the main loop did not wait for it.
    ///
    /// Sends SIGTTOU, which is not blocked, and does not stop a process that no shell could continue; SIGSTOP would.
    static func suspendThisProcess() throws(Failure) {
        try Failure.wrapping("stop") { () throws(Errno) in try terminalOutput.send(to: CurrentProcess.identifier) }
    }
}
