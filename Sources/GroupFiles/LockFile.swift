import Dispatch
import SystemCalls

/// The lock of one value, `<name>.lock` in the control directory.
///
/// A second lock, `<name>.turn`, is taken first and freed as soon as the first is held: the kernel wakes all who wait for
/// a lock, and whoever has just released it would mostly win it again; now one waits for the lock, the others for the turn.
///
/// The file names the temporary file of its last holder, so that the next one sweeps what a killed holder left behind.
enum LockFile {
    /// Waits for the lock, and sweeps. The caller unlocks.
    static func acquire(
        for name: String, in directory: Directory, path: String, sharing: Sharing, temporaryName: String,
        timeout: Duration?
    ) throws(GroupFileError) -> FileLock {
        let file = ControlDirectory.path("\(name).lock")
        while true {
            let lock: FileLock
            do throws(Errno) {
                let turn = try open("\(name).turn", in: directory, sharing)
                lock = try open("\(name).lock", in: directory, sharing)
                if try wait(turn: turn, lock: lock, timeout: timeout) {
                    // Somebody may have removed or exchanged the control directory while we waited.
                    guard try isCurrent(lock, file, in: directory) else { continue }
                    try sweep(lock, in: directory, own: temporaryName)
                    return lock
                }
            } catch {
                throw GroupFileError(error, path: path, "lock the value in \(ControlDirectory.name)")
            }
            throw .lockTimedOut(path, timeout ?? .zero, holder: holder(of: lock))
        }
    }

    private static func open(_ name: String, in directory: Directory, _ sharing: Sharing) throws(Errno) -> FileLock {
        for _ in 0..<16 {
            do throws(Errno) {
                let file = try directory.open(
                    ControlDirectory.path(name), [.readWrite, .create, .nonBlocking],
                    permissions: sharing.filePermissions)
                let status = try file.status()
                if status.kind != .regular { throw .invalid }
                if status.permissions != sharing.filePermissions, status.owner == CurrentProcess.effectiveUser {
                    try file.setPermissions(sharing.filePermissions)
                }
                return FileLock(file)
            } catch .noEntry {
                try ControlDirectory.make(in: directory, sharing: sharing)
            }
        }
        throw .noEntry
    }

    private static func isCurrent(_ lock: FileLock, _ path: String, in directory: Directory) throws(Errno) -> Bool {
        do throws(Errno) {
            return try directory.status(of: path).identity == lock.descriptor.status().identity
        } catch .noEntry {
            return false
        }
    }

    /// Removes the temporary file of a holder that was killed, and leaves our own name for the next one.
    /// Only who holds the lock has a temporary file, so that no living writer's is ever removed.
    private static func sweep(_ lock: FileLock, in directory: Directory, own: String) throws(Errno) {
        let longest = 255
        let last = String(decoding: try lock.descriptor.readStart(longest + 1), as: UTF8.self)
        if last == own + "\n" { return }
        if last.hasSuffix(".tmp\n"), !last.contains("/") {
            let temporary = ControlDirectory.path(String(last.dropLast()))
            for path in [temporary, ControlDirectory.second(temporary)] {
                do throws(Errno) {
                    try directory.unlink(path)
                } catch .noEntry {
                    // Its holder had finished, or never made it.
                }
            }
        }
        try lock.descriptor.truncate(to: 0)
        try lock.descriptor.writeStart(Array((own + "\n").utf8))
    }

    private static func holder(of lock: FileLock) -> LockHolder? {
        do throws(Errno) {
            return try LockHolder.find(lock.descriptor.status().identity)
        } catch {
            return nil  // It cannot be told; the error says that somebody has it.
        }
    }

    /// Takes the turn, then the lock, then gives the turn back. False where `timeout` ran out.
    private static func wait(turn: FileLock, lock: FileLock, timeout: Duration?) throws(Errno) -> Bool {
        if try turn.tryLock(), try lock.tryLock() {
            turn.unlock()
            return true
        }
        if let timeout {
            turn.unlock()
            return try waitOnHelper(turn: turn, lock: lock, timeout: timeout)
        }
        try turn.lock()
        try lock.lock()
        turn.unlock()
        return true
    }

    /// Waits on a helper thread, which lets go of the lock where the time has run out meanwhile: to try again and again
    /// would wait longer, and to interrupt flock(2) would take a signal.
    private static func waitOnHelper(turn: FileLock, lock: FileLock, timeout: Duration) throws(Errno) -> Bool {
        enum Outcome {
            case waiting, locked, abandoned
            case failed(Errno)
        }
        final class Waiting: Sendable {
            let outcome = Guarded(Outcome.waiting)
            let ended = DispatchSemaphore(value: 0)
        }
        let waiting = Waiting()
        try Thread.spawn(named: "group-files/lck") {
            var result = Outcome.locked
            do throws(Errno) {
                try turn.lock()
                try lock.lock()
            } catch {
                result = .failed(error)
            }
            turn.unlock()
            let isAbandoned = waiting.outcome.withLock { outcome in
                if case .abandoned = outcome { return true }
                outcome = result
                return false
            }
            if isAbandoned { lock.unlock() }
            waiting.ended.signal()
        }
        let (seconds, attoseconds) = timeout.components
        let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let limit = nanoseconds.overflow ? Int.max : Int(nanoseconds.partialValue) + Int(attoseconds / 1_000_000_000)
        _ = waiting.ended.wait(timeout: limit == Int.max ? .distantFuture : .now() + .nanoseconds(limit))
        let outcome = waiting.outcome.withLock { outcome in
            if case .waiting = outcome { outcome = .abandoned }
            return outcome
        }
        switch outcome {
        case .locked: return true
        case .failed(let error): throw error
        case .waiting, .abandoned: return false
        }
    }
}

extension GroupFileError {
    static func lockTimedOut(_ path: String, _ timeout: Duration, holder: LockHolder?) -> GroupFileError {
        let who =
            switch holder {
            case .none: "another program"
            case .some(let holder): "process \(holder.process)" + (holder.program.map { " (\($0))" } ?? "")
            }
        return GroupFileError(
            .timedOut, path: path,
            "the lock was not to be had within \(timeout): \(who) holds it; wait for it to finish, or end it")
    }
}
