import Glibc

/// For how long this thread has a processor while `body` runs. However busy the machine is, it says how much there is to do;
/// a time limit would count for how long others had it, too.
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
