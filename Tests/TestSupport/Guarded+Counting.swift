package import SystemCalls

extension Guarded<Int> {
    /// Counts one more, and returns how many those are.
    package borrowing func increment() -> Int {
        withLock { count in
            count += 1
            return count
        }
    }
}
