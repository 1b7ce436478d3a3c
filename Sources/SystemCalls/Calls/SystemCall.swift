import Glibc

/// The calls that this module makes, by the names of their C functions.
package enum SystemCall: String, Sendable {
    case open, openat, close, read, write, pread, pwrite, fstat, fstatat, statx, fchmod, fchmodat, fchown, fsync,
        flock, ftruncate, futimens
    case mkdirat, unlinkat, linkat, renameat, renameat2, readlinkat, statfs, fstatfs, access
    case lgetxattr, fgetxattr, fsetxattr, fremovexattr
    case inotify_init1, inotify_add_watch, inotify_rm_watch
    case timerfd_create
    case fcntl, signalfd, eventfd, poll, memfd_create, pipe2, lseek, posix_spawn, waitpid, waitid, kill
}

/// Makes a call that cannot be short, and retries it on EINTR, so that no caller has to.
///
/// Calls that a write or an observed change makes pass their paths by `withCString`: passing the string itself copies
/// it.
@inline(__always)
@discardableResult
func perform(
    _ call: SystemCall, _ detail: @autoclosure () -> String = "", _ body: () -> Int32
) throws(Errno) -> Int32 {
    while true {
        if SystemCallTap.isInstalled, case .fail(let error) = SystemCallTap.fault(call, detail()) {
            if error == .interrupted { continue }
            throw error
        }
        let result = body()
        if result >= 0 { return result }
        let error = Errno.current
        if error != .interrupted { throw error }
    }
}

/// Makes a call that opens a descriptor. If none is left, closes the spare ones and retries once.
@inline(__always)
func performOpening(
    _ call: SystemCall, _ detail: @autoclosure () -> String = "", _ body: () -> Int32
) throws(Errno) -> Int32 {
    var raw: Int32
    do throws(Errno) {
        raw = try perform(call, detail(), body)
    } catch {
        if !SpareDescriptors.close(for: error) { throw error }
        raw = try perform(call, detail(), body)
    }
    if raw <= STDERR_FILENO { raw = try besideStandardStreams(raw) }
    return raw
}

/// Moves a descriptor away from the numbers of the standard streams: a program that was started without these may close
/// the numbers, or give them to other files, at any time, as daemons do. fcntl(2).
private func besideStandardStreams(_ raw: Int32) throws(Errno) -> Int32 {
    defer { _ = Glibc.close(raw) }
    return try perform(.fcntl, "\(raw)") { Glibc.fcntl(raw, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
}

/// Makes a call that moves bytes: `body` gets how many it may move, and returns how many it moved.
@inline(__always)
func perform(
    _ call: SystemCall, bytes count: Int, _ detail: @autoclosure () -> String = "", _ body: (Int) -> Int
) throws(Errno) -> Int {
    while true {
        var count = count
        if SystemCallTap.isInstalled {
            switch SystemCallTap.fault(call, detail()) {
            case .none: break
            case .fail(.interrupted): continue
            case .fail(let error): throw error
            case .short(let most): count = min(count, most)
            }
        }
        let result = body(count)
        if result >= 0 { return result }
        let error = Errno.current
        if error != .interrupted { throw error }
    }
}
