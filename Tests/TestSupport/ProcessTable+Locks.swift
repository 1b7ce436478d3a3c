package import SystemCalls

extension ProcessTable {
    /// How many threads wait for the lock of a file. While other locks come and go, the kernel may leave one out, or name
    /// it twice.
    package static func waiters(for inode: UInt64) throws -> Int {
        try text("/proc/locks").split(separator: "\n").count { $0.contains("-> FLOCK") && $0.contains(":\(inode) ") }
    }
}
