package import SystemCalls

extension Guarded<Int> {
    /// Adds one, and returns the new count.
    package borrowing func increment() -> Int {
        withLock { count in
            count += 1
            return count
        }
    }
}
