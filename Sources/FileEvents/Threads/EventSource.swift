/// What a thread of the ``ThreadPool`` reads: it blocks in `readEvents`, which returns once something was read and handed on.
package protocol EventSource: AnyObject, Sendable {
    /// False once there is nothing left to read for.
    func readEvents() -> Bool
}
