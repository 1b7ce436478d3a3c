import CSystemCalls
public import Synchronization

/// A lock for threads that goes to whoever is first, by futex(2), and only after a millisecond to one that sleeps. It takes
/// 4 bytes, and no system call while nobody waits.
///
/// 1. **lock** takes a free word, or spins, or sleeps until it is woken.
/// 2. **starve**: who has waited for so long and finds the lock taken again says so before sleeping again.
/// 3. **unlock** frees the word and wakes one that sleeps; for one that starves it hands the word over instead, so that no
///    running thread can take it.
/// 4. **take**: only those that have slept take what was handed over.
@usableFromInline
struct BargingLock: ~Copyable, Sendable {
    @usableFromInline
    enum State {
        @inlinable static var free: UInt32 { 0 }
        @inlinable static var held: UInt32 { 1 }
        /// Held, and somebody may sleep until it is free.
        static let awaited: UInt32 = 2
        /// The same, and one of those has waited for too long.
        static let starving: UInt32 = 3
        /// Held by nobody, and to be taken by one that has slept. There is one: who says that it starves stays until then.
        static let handedOver: UInt32 = 4
    }

    /// Longer than what is done under any lock takes, mostly.
    private static let patience: Int64 = 1_000_000

    @usableFromInline let word = Atomic(State.free)

    @usableFromInline
    init() {}

    @inlinable @inline(__always)
    func lockIfAvailable() -> Bool {
        word.compareExchange(
            expected: State.free, desired: State.held, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
    }

    @inlinable @inline(__always)
    func lock() {
        if !lockIfAvailable() { wait() }
    }

    @inlinable @inline(__always)
    func unlock() {
        let isQuick = word.compareExchange(
            expected: State.held, desired: State.free, successOrdering: .releasing, failureOrdering: .relaxed
        ).exchanged
        if !isQuick { wake() }
    }

    /// Spins for some microseconds first, as the standard library does: what is done under a lock takes no longer, mostly.
    @usableFromInline @inline(never)
    func wait() {
        for _ in 0..<1000 {
            cs_pause()
            if word.load(ordering: .relaxed) == State.free, lockIfAvailable() { return }
        }
        let start = Moment.now.nanoseconds
        // This address is the word's own: nothing that is atomic is ever copied.
        unsafe withUnsafePointer(to: word) { address in
            // What is handed over is left to those that sleep.
            if word.load(ordering: .relaxed) == State.handedOver { unsafe cs_futex_wait(address, State.handedOver) }
            var mark = State.awaited
            while true {
                let before = word.exchange(mark, ordering: .acquiring)
                if before == State.free || before == State.handedOver { break }
                unsafe cs_futex_wait(address, mark)
                if Moment.now.nanoseconds - start > Self.patience { mark = State.starving }
            }
            // It is ours now, and we do not starve. Others may sleep.
            if mark == State.starving { word.store(State.awaited, ordering: .relaxed) }
        }
    }

    @usableFromInline @inline(never)
    func wake() {
        let isHandedOver = word.compareExchange(
            expected: State.starving, desired: State.handedOver, successOrdering: .releasing, failureOrdering: .relaxed
        ).exchanged
        if !isHandedOver { word.store(State.free, ordering: .releasing) }
        unsafe withUnsafePointer(to: word) { unsafe cs_futex_wake($0) }
    }
}
