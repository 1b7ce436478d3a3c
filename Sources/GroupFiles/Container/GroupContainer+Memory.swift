import SystemCalls

extension GroupContainer {
    /// How many containers in memory there have been; guarded by its lock.
    private static let lastMemory = Guarded(0)

    /// A container in memory, for tests of your own: values behave as in a directory, except that no other process sees
    /// them, and that they are gone with the last copy of this container and the last `GroupFile` in it.
    ///
    /// Each call creates another container; copies of it, and all values opened in it, share one. Its `path` is not a
    /// real path.
    public static func inMemory() -> GroupContainer {
        let number = lastMemory.withLock { number in
            number += 1
            return number
        }
        return GroupContainer(MemoryStore(path: "memory:\(number)"))
    }
}
