/// Something with threads of its own.
package protocol JobExecutor: AnyObject, Sendable {
    /// Runs `job` once, later: never before this returns, on the caller's thread.
    func execute(_ job: @escaping @Sendable () -> Void)
}
