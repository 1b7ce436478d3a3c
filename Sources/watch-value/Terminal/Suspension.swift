import SystemCalls

extension Signal {
    /// SIGTSTP of signal(7): Ctrl-Z.
    static let suspend = Signal(rawValue: 20)
    /// SIGTTOU of signal(7).
    private static let terminalOutput = Signal(rawValue: 22)

    /// Stops this process until its shell continues it, as Ctrl-Z would where it is not waited for.
    ///
    /// By a signal that is not blocked, and that stops nobody whom no shell could continue: SIGSTOP would do so.
    static func suspendThisProcess() throws(Failure) {
        do throws(Errno) {
            try terminalOutput.send(to: CurrentProcess.identifier)
        } catch {
            throw Failure(error, "stop")
        }
    }
}
