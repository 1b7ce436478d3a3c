import CSystemCalls
public import Synchronization

/// A lock between threads, by futex(2), that goes to whichever thread takes it first. Only a thread that has waited for
/// a millisecond has it handed over. It takes 4 bytes, and no system call while nobody waits.
///
/// 1. **lock** takes a free word, or spins, or sleeps until it is woken.
/// 2. **starve**: a thread that has waited for that long and finds the lock taken again marks the lock before it sleeps
///    again.
/// 3. **unlock** frees the word and wakes a thread that sleeps; if one starves, it hands the word over instead, so that
///    no running thread can take it.
/// 4. **take**: only threads that have slept take a word that was handed over.
@usableFromInline
struct BargingLock: ~Copyable, Sendable {
    @usableFromInline
    enum State {
        @inlinable static var free: UInt32 { 0 }
        @inlinable static var held: UInt32 { 1 }
        /// Held, and threads may be sleeping until it is free.
        static let awaited: UInt32 = 2
        /// The same, and one of those has waited for too long.
        static let starving: UInt32 = 3
        /// Held by nobody, and to be taken by a thread that has slept. There is one: a thread that has marked the lock
        /// as starving stays until it has the lock.
        static let handedOver: UInt32 = 4
    }

    /// Usually longer than what is done under any lock takes.
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

    /// Spins for some microseconds first, as the standard library does: usually what is done under a lock takes no
    /// longer.
    @usableFromInline @inline(never)
    func wait() {
        for _ in 0..<1000 {
            cs_pause()
            if word.load(ordering: .relaxed) == State.free, lockIfAvailable() { return }
        }
        let start = Moment.now.nanoseconds
        // This address is the word's own: nothing that is atomic is ever copied.
        unsafe withUnsafePointer(to: word) { address in
            // A word that is handed over is left to the threads that have slept.
            if word.load(ordering: .relaxed) == State.handedOver { unsafe cs_futex_wait(address, State.handedOver) }
            var mark = State.awaited
            while true {
                let before = word.exchange(mark, ordering: .acquiring)
                if before == State.free || before == State.handedOver { break }
                unsafe cs_futex_wait(address, mark)
                if Moment.now.nanoseconds - start > Self.patience { mark = State.starving }
            }
            // The lock is ours now, so we no longer starve. Others may be sleeping.
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
