import Glibc

/// A lock between processes: flock(2) on a file of its own, which is never unlinked.
///
/// flock, not fcntl: a process's fcntl locks vanish when it closes any descriptor of the file, and those of an open
/// file description show no holder.
package final class FileLock: Sendable {
    package let descriptor: FileDescriptor

    /// Takes over the descriptor of a lock file; nothing is locked yet.
    package init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Unlocks first: a child that a program forked shares the open file, and would keep the lock after our close.
    deinit {
        unlock()
    }

    /// flock(2) with LOCK_EX: waits for as long as it takes.
    package func lock() throws(Errno) {
        let raw = descriptor.rawValue
        try perform(.flock, "\(raw) lock") { flock(raw, LOCK_EX) }
    }

    /// flock(2) with LOCK_NB: false where another holds it.
    package func tryLock() throws(Errno) -> Bool {
        let raw = descriptor.rawValue
        do throws(Errno) {
            try perform(.flock, "\(raw) try") { flock(raw, LOCK_EX | LOCK_NB) }
            return true
        } catch .wouldBlock {
            return false
        }
    }

    /// flock(2) with LOCK_UN. Cannot fail on a descriptor of our own; a second call does nothing.
    ///
    /// In a forked child it does nothing either: the lock is the parent's, whose open file this is.
    package func unlock() {
        if CurrentProcess.isForked { return }
        _ = flock(descriptor.rawValue, LOCK_UN)
    }
}

extension FileLock {
    /// Whether another holds it: tries to take it, and lets go at once.
    package func isTaken() throws(Errno) -> Bool {
        guard try tryLock() else { return true }
        unlock()
        return false
    }

    /// The holder; nil if there is none, or if it cannot be found: its process may be hidden from here, /proc may not
    /// be mounted, or no descriptor may be left to look there with.
    package func holder() -> LockHolder? {
        do throws(Errno) { return try LockSearch(self).holder().map(LockHolder.init) } catch { return nil }
    }
}
