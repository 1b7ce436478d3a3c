/// Something with threads of its own.
package protocol JobExecutor: AnyObject, Sendable {
    /// Runs `job` once, later: never on the caller's thread before this returns.
    func execute(_ job: @escaping @Sendable () -> Void)
}
