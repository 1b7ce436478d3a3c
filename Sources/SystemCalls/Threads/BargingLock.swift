import CSystemCalls
public import Synchronization

/// A lock for threads that goes to whoever is first, by futex(2). It takes 4 bytes, and no system call while nobody
/// waits.
@usableFromInline
struct BargingLock: ~Copyable, Sendable {
    /// 0: free. 1: held. 2: held, and somebody may sleep until it is free.
    @usableFromInline let word = Atomic<UInt32>(0)

    @usableFromInline
    init() {}

    @inlinable @inline(__always)
    func lockIfAvailable() -> Bool {
        word.compareExchange(expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed).exchanged
    }

    @inlinable @inline(__always)
    func lock() {
        if !lockIfAvailable() { wait() }
    }

    @inlinable @inline(__always)
    func unlock() {
        if word.exchange(0, ordering: .releasing) == 2 { wake() }
    }

    /// Spins for some microseconds first, as the standard library does: what is done under a lock takes no longer, mostly.
    @usableFromInline @inline(never)
    func wait() {
        for _ in 0..<1000 {
            cs_pause()
            if word.load(ordering: .relaxed) == 0, lockIfAvailable() { return }
        }
        // This address is the word's own: nothing that is atomic is ever copied.
        unsafe withUnsafePointer(to: word) { address in
            while word.exchange(2, ordering: .acquiring) != 0 { unsafe cs_futex_wait(address, 2) }
        }
    }

    @usableFromInline @inline(never)
    func wake() {
        unsafe withUnsafePointer(to: word) { unsafe cs_futex_wake($0) }
    }
}
