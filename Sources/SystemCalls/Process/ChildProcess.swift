import CSystemCalls
import Glibc

/// A program that was started, and is waited for once.
package struct ChildProcess: Sendable {
    /// How it ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signalled(Signal)
    }

    package let identifier: Int32
    /// Whether it leads a process group of its own.
    private let leadsGroup: Bool

    /// posix_spawnp(3): looks for the command in those directories of PATH that may be entered; the shell runs a script
    /// that does not name its interpreter, as with execvp(3). The child inherits none of the library's descriptors. It
    /// inherits which signals this process ignores, as `nohup` needs it; but no signal is blocked in it, and SIGPIPE
    /// has its default action, as programs expect.
    ///
    /// - Parameters:
    ///   - command: its words, byte for byte.
    ///   - input: becomes its standard input.
    ///   - output, errors: become its standard output and error; nil for this process's own.
    ///   - environment: variables that are added to this process's environment, or replace its own.
    package static func spawn(
        _ command: [[UInt8]], input: borrowing FileDescriptor, output: Int32?, errors: Int32?,
        environment: [(String, String)], leadsGroup: Bool
    ) throws(Errno) -> ChildProcess {
        var actions = unsafe posix_spawn_file_actions_t()
        try check(unsafe posix_spawn_file_actions_init(&actions))
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        try check(unsafe posix_spawn_file_actions_adddup2(&actions, input.rawValue, STDIN_FILENO))
        if let output { try check(unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)) }
        if let errors { try check(unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)) }

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        setAttributes(&attributes, leadsGroup: leadsGroup)

        let variables = try unsafe CStrings(merged(environment))
        var identifier: pid_t = 0
        func start(_ file: [UInt8], _ words: [[UInt8]], searches: Bool = false) throws(Errno) -> Int32 {
            let arguments = try unsafe CStrings(words)
            let call = unsafe searches ? posix_spawnp : posix_spawn
            return unsafe withExtendedLifetime((arguments, variables)) {
                unsafe call(
                    &identifier, file.terminated, &actions, &attributes, arguments.pointers, variables.pointers)
            }
        }

        guard let name = command.first else { throw .invalid }
        if SystemCallTap.isInstalled {
            let detail = command.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
            if case .fail(let error) = SystemCallTap.fault(.posix_spawn, detail) { throw error }
        }
        var error = try start(name, command, searches: true)
        if error == EACCES || error == ENOENT, !name.contains(UInt8(ascii: "/")) {
            // posix_spawnp(3) also fails with EACCES for a directory on PATH that may not be entered, where shells
            // report the command as missing. It takes an empty PATH for the current directory; here an empty PATH
            // counts as unset.
            guard let place = SearchPath.place(of: name) else { throw .noEntry }
            error = try start(place, command)
        }
        if error == ENOEXEC, let words = ShellScript.words(command) { error = try start(ShellScript.shell, words) }
        try check(error)
        return ChildProcess(identifier: identifier, leadsGroup: leadsGroup)
    }

    /// The same for a command that is text.
    package static func spawn(
        _ command: [String], input: borrowing FileDescriptor, output: Int32? = nil, errors: Int32? = nil,
        environment: [(String, String)], leadsGroup: Bool
    ) throws(Errno) -> ChildProcess {
        try spawn(
            command.map { Array($0.utf8) }, input: input, output: output, errors: errors, environment: environment,
            leadsGroup: leadsGroup)
    }

    /// No signal is blocked, SIGPIPE has its default action, and the child may lead a group of its own.
    private static func setAttributes(_ attributes: inout posix_spawnattr_t, leadsGroup: Bool) {
        var none = sigset_t()
        unsafe sigemptyset(&none)
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        unsafe sigaddset(&defaults, SIGPIPE)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (leadsGroup ? POSIX_SPAWN_SETPGROUP : 0)
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    /// The functions of posix_spawn(3) return their error.
    private static func check(_ error: Int32) throws(Errno) {
        if error != 0 { throw Errno(rawValue: error) }
    }

    /// kill(2), of its group if it leads one. Only before it is waited for: afterwards the number may be another
    /// process's.
    package func send(_ signal: Signal) throws(Errno) {
        try signal.send(to: leadsGroup ? -identifier : identifier)
    }

    /// The same, then SIGCONT, as timeout(1) does: until then a stopped process does not handle the signal.
    package func sendWaking(_ signal: Signal) throws(Errno) {
        try send(signal)
        try send(.resume)
    }

    /// waitpid(2): waits for its end.
    package func wait() throws(Errno) -> Ending {
        var status: Int32 = 0
        try perform(.waitpid, "\(identifier)") { unsafe waitpid(identifier, &status, 0) }
        return Self.ending(status)
    }

    /// waitpid(2) with WNOHANG: nil where it has not ended.
    package func poll() throws(Errno) -> Ending? {
        var status: Int32 = 0
        let found = try perform(.waitpid, "\(identifier)") { unsafe waitpid(identifier, &status, WNOHANG) }
        return found == 0 ? nil : Self.ending(status)
    }

    /// waitid(2) with WNOWAIT: whether it has ended. It still has to be waited for; until then its number, and its
    /// group's, are not reused.
    package func hasEnded() throws(Errno) -> Bool {
        var information = unsafe siginfo_t()
        try perform(.waitid, "\(identifier)") {
            unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
        }
        return unsafe information.si_signo != 0
    }

    /// waitid(2) with WSTOPPED: the signal that has stopped it, reported once; nil if it was not stopped, runs again,
    /// or has ended.
    package func stoppingSignal() throws(Errno) -> Signal? {
        var information = unsafe siginfo_t()
        do throws(Errno) {
            try perform(.waitid, "\(identifier)") {
                unsafe waitid(P_PID, id_t(identifier), &information, WSTOPPED | WNOHANG)
            }
        } catch .noChild {
            return nil  // To the kernel, a child that has ended is not one that could be stopped.
        }
        guard unsafe information.si_signo != 0 else { return nil }
        return unsafe Signal(rawValue: information._sifields._sigchld.si_status)
    }

    /// waitid(2) with WNOWAIT: waits for its end, but does not reap it, so that its number is not reused.
    package func waitWithoutReaping() throws(Errno) -> Ending {
        var information = unsafe siginfo_t()
        try perform(.waitid, "\(identifier)") {
            unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT)
        }
        let status = unsafe information._sifields._sigchld.si_status
        let hasExited = unsafe information.si_code == CLD_EXITED
        return hasExited ? .exited(status) : .signalled(Signal(rawValue: status))
    }

    private static func ending(_ status: Int32) -> Ending {
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(Signal(rawValue: signal))
    }

    /// environ(7), changed.
    private static func merged(_ changes: [(String, String)]) -> [[UInt8]] {
        var variables: [[UInt8]] = []
        if var entry = unsafe cs_environment() {
            while let text = unsafe entry.pointee {
                let variable = unsafe [UInt8](text: text)
                if !changes.contains(where: { variable.starts(with: "\($0.0)=".utf8) }) { variables.append(variable) }
                unsafe entry += 1
            }
        }
        return variables + changes.map { Array("\($0.0)=\($0.1)".utf8) }
    }
}

/// A list of strings for C, with NULL at its end. They live as long as this object.
@unsafe private final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    /// Fails with ENOMEM if a string cannot be copied: its NULL would end the list.
    init(_ strings: [[UInt8]]) throws(Errno) {
        unsafe pointers = strings.map { unsafe strdup($0.terminated) } + [nil]
        if unsafe pointers.dropLast().contains(nil) { throw .noMemory }
    }

    deinit {
        unsafe pointers.forEach { unsafe free($0) }
    }
}
