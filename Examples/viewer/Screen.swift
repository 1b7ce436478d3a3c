/// Where the viewer shows what it sees.
@MainActor protocol Screen: AnyObject, Sendable {
    func show(_ model: BroadcastModel)
    /// Prints what went wrong, on standard error.
    func report(_ problem: String)
    /// Draws again after the process was stopped, as by Ctrl-Z, and continues.
    func resume()
}
