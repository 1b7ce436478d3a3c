import Glibc

/// How long this thread has a processor while `body` runs: the same however busy the machine is, unlike the time that
/// passes.
package func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let before = processorTimeOfThisThread()
    try body()
    return processorTimeOfThisThread() - before
}

private func processorTimeOfThisThread() -> Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
