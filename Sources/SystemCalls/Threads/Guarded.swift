public import CSystemCalls
public import Synchronization

/// The only lock of threads in this project: a `Mutex` that the thread sanitizer understands.
///
/// The sanitizer does not see the standard library's `Mutex` and would report every use as a race; two marks tell it.
/// Nothing slow and no handler is ever called inside `withLock`, unless the lock's owner says so and why.
///
/// Inlinable, because a generic body that is not specialized for its value asks for metadata at each step: of all that
/// happened between an event and its handler, that was a third.
public struct Guarded<Value: ~Copyable>: ~Copyable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    public init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    @inlinable @inline(__always)
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) -> sending Result in
            // The lock's address, not the value's: taking that is itself an access, before the mark.
            let mark = unsafe withUnsafePointer(to: mutex) { unsafe UnsafeMutableRawPointer(mutating: $0) }
            unsafe SanitizerMark.acquire(mark)
            defer { unsafe SanitizerMark.release(mark) }
            return try body(&value)
        }
    }
}

extension Guarded where Value: ~Copyable {
    /// Nil if the lock is held already.
    package borrowing func withLockIfAvailable<Result>(
        _ body: (inout sending Value) -> sending Result
    ) -> sending Result? {
        mutex.withLockIfAvailable { value -> sending Result in
            let mark = unsafe withUnsafePointer(to: mutex) { unsafe UnsafeMutableRawPointer(mutating: $0) }
            unsafe SanitizerMark.acquire(mark)
            defer { unsafe SanitizerMark.release(mark) }
            return body(&value)
        }
    }
}

extension Guarded: Sendable where Value: ~Copyable {}

/// Marks for the thread sanitizer, if it is linked.
@usableFromInline
enum SanitizerMark {
    @inlinable @inline(__always)
    static func acquire(_ lock: UnsafeMutableRawPointer) { unsafe cs_tsan_acquire(lock) }

    @inlinable @inline(__always)
    static func release(_ lock: UnsafeMutableRawPointer) { unsafe cs_tsan_release(lock) }
}
