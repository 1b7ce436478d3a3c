import SystemCalls

/// A thread that sleeps in futex(2).
struct FutexWait {
    let operation: Int32

    /// Nil if the thread is doing something else.
    init?(of thread: SystemCalls.Thread.ID) throws(Errno) {
        // The file has the call's number, the address, the operation with its flags, …; or "running" while the thread
        // runs.
        let call = try ProcessTable.text("/proc/self/task/\(thread)/syscall").split(separator: " ")
        guard call.first == Self.number, let operation = Int32(call[2].dropFirst(2), radix: 16) else { return nil }
        self.operation = operation
    }

    /// SYS_futex.
    #if arch(x86_64)
        private static let number: Substring = "202"
    #else
        private static let number: Substring = "98"
    #endif
}
