import CSystemCalls
import Glibc

/// What concerns the process as a whole.
package enum CurrentProcess {
    /// getpid(2).
    package static var identifier: Int32 { getpid() }

    /// geteuid(2).
    package static var effectiveUser: UInt32 { geteuid() }

    /// Whether the thread sanitizer is linked, which has a thread and signal handlers of its own.
    package static var hasThreadSanitizer: Bool { cs_has_tsan() }

    /// Starts to watch for forks: see ``isForked``.
    package static func watchForFork() {
        cs_fork_watch()
    }

    /// Changes with each fork(3) after ``watchForFork()``: what was open before is open in a child, too.
    package static var forkCount: UInt32 { cs_fork_count() }

    /// True in a child that was forked from a process that had called ``watchForFork()``, and has not called exec: the
    /// library's threads are not there, and its locks may be held for ever.
    package static var isForked: Bool { cs_is_forked() }

    /// The program's arguments, byte for byte; the first is its own name.
    package static var arguments: [[UInt8]] {
        let kept = unsafe cs_arguments()
        let count = unsafe kept == nil ? CommandLine.argc : cs_argument_count()
        let words = unsafe kept ?? CommandLine.unsafeArgv
        return (0..<Int(count)).compactMap { index in unsafe words[index].map { unsafe [UInt8](text: $0) } }
    }

    /// getenv(3); an empty variable counts as unset. EILSEQ where it is not UTF-8.
    package static func environment(_ name: String) throws(Errno) -> String? {
        guard let bytes = environmentBytes(name) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .illegalByteSequence }
        return text
    }

    /// The same, for any bytes.
    package static func environmentBytes(_ name: String) -> [UInt8]? {
        guard let value = unsafe getenv(name) else { return nil }
        let bytes = unsafe [UInt8](text: value)
        return bytes.isEmpty ? nil : bytes
    }

    /// exit(3).
    package static func exit(_ code: Int32) -> Never {
        Glibc.exit(code)
    }

    /// Ends the process by a signal that is not ignored, although it is blocked; exits with 128+n if that fails.
    package static func die(of signal: Signal) -> Never {
        signal.unblock()
        _ = Glibc.raise(signal.rawValue)
        exit(128 + signal.rawValue)
    }

    /// This very program, to start it again.
    package static let executable = "/proc/self/exe"
}

extension [UInt8] {
    /// Text as C has it, without the NUL at its end: strlen(3).
    init(text: UnsafePointer<CChar>) {
        self = unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// The same for C, with a NUL at its end.
    var terminated: [CChar] { map(CChar.init(bitPattern:)) + [0] }
}
