public import Synchronization

/// The only lock of threads in this project: the storage of a `Mutex`, behind a lock that a running thread may take
/// again before one that sleeps.
///
/// A `Mutex` passes itself on to the thread that has waited longest, which has to be woken first. Where many threads
/// want the same lock, each use of it then takes two context switches instead of some nanoseconds, and that goes on for
/// as long as they all come back: 1,000 handlers took 50 ms instead of one. So nobody waits for the `Mutex`: threads
/// wait for a word that goes to whichever is first, unless one of them has waited for too long.
///
/// The thread sanitizer understands this lock, whereas it sees nothing of a `Mutex`. A value without a size has no
/// address of its own, so the sanitizer would see another value there: `Guarded(())` is not used. Nor is a bare closure
/// guarded: each access to a generic value that is a closure leaves it wrapped once more, so that each call of it takes
/// longer than the last. Make the closure a member of a structure.
///
/// Nothing slow and no handler is ever called inside `withLock`, unless the lock's owner says so and why.
///
/// Inlinable, because a generic body that is not specialized for its value asks for metadata at each step: that took a
/// third of the time between an event and its handler.
public struct Guarded<Value: ~Copyable>: ~Copyable {
    @usableFromInline let lock = BargingLock()
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    public init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    @inlinable @inline(__always)
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try mutex.withLock { value throws(Failure) -> sending Result in try body(&value) }
    }
}

extension Guarded where Value: ~Copyable {
    /// Nil if the lock is held already.
    package borrowing func withLockIfAvailable<Result>(
        _ body: (inout sending Value) -> sending Result
    ) -> sending Result? {
        guard lock.lockIfAvailable() else { return nil }
        defer { lock.unlock() }
        return mutex.withLock { value -> sending Result in body(&value) }
    }
}

extension Guarded: Sendable where Value: ~Copyable {}
