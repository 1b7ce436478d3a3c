/// What a thread of the ``ThreadPool`` reads: it blocks in `readEvents`, which returns once something has been read and
/// delivered.
protocol EventSource: AnyObject, Sendable {
    /// False once there is nothing left to read for.
    func readEvents() -> Bool
    /// Something was mounted or unmounted, which no event reports. Called on a thread of the pool, as a job.
    func mountsChanged()
    /// Lets `readEvents` return soon.
    func wakeReader()
}
