import CSystemCalls
import Synchronization

/// The only lock of this project: a `Mutex` that the thread sanitizer understands.
///
/// The sanitizer does not see the standard library's `Mutex` and would report every use as a race; two marks tell it.
/// Nothing slow and no handler is ever called inside `withLock`, unless the lock's owner says so and why.
package struct Guarded<Value: ~Copyable>: ~Copyable {
    private let mutex: Mutex<Value>

    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) -> sending Result in
            // The lock's address, not the value's: to take that one is itself an access, before the mark.
            let mark = unsafe withUnsafePointer(to: mutex) { unsafe UnsafeMutableRawPointer(mutating: $0) }
            unsafe cs_tsan_acquire(mark)
            defer { unsafe cs_tsan_release(mark) }
            return try body(&value)
        }
    }
}

extension Guarded: Sendable where Value: ~Copyable {}
