import GroupFiles
import SystemCalls

/// Why the command ends before it is done, or with a code other than 0, and what it says about that.
struct Failure: Error {
    let code: Int32
    /// Empty where the code says everything.
    let message: String
    /// The signal that has ended the command.
    private(set) var signal: EndingSignal?

    init(_ code: ExitCode, _ message: String, about subject: String? = nil) {
        self.code = code.rawValue
        self.message = subject.map { $0.isEmpty ? message : "\($0): \(message)" } ?? message
    }

    private init(code: Int32, message: String = "") {
        self.code = code
        self.message = message
    }

    /// Ends with this code, silently.
    static func quiet(_ code: ExitCode) -> Failure { Failure(code: code.rawValue) }

    /// Ends with COMMAND's own code, and says why.
    static func ended(_ ending: ChildProcess.Ending, _ message: String, about subject: String) -> Failure {
        Failure(code: ending.code, message: "\(subject): \(message)")
    }

    /// Says where the value would be, or what is in its way.
    static func noSuchValue(_ location: Location, hint: String? = nil) -> Failure {
        let directory = Path.beforeLastSlash(location.path) ?? ""
        let place = PathObstacle(at: directory)?.advice ?? "it would be \(location.path)"
        let parts = ["there is no such value", hint, place].compactMap(\.self)
        return Failure(.noSuchValue, parts.joined(separator: "; "), about: location.name)
    }

    /// `--timeout` has run out; `progress` says how far the command came.
    static func timedOut(_ arguments: Arguments, _ progress: String, about subject: String) -> Failure {
        let time = arguments[.timeout].map(TimeSpan.withUnit) ?? ""
        return Failure(.timeout, "timed out after \(time)\(progress)", about: subject)
    }

    /// 128+n, as shells count.
    static func signalled(_ signal: EndingSignal, _ message: String = "") -> Failure {
        var failure = Failure(code: 128 + signal.signal.rawValue, message: message)
        failure.signal = signal
        return failure
    }
}

extension Failure {
    /// Names the path if the error is about something other than the file of that name, such as its directory or a
    /// link's target.
    init(_ error: GroupFileError, about name: String) {
        let place = error.path.flatMap { path in
            error.line != nil || Path.lastComponent(path) == Path.lastComponent(name) ? nil : path
        }
        self.init(
            ExitCode(error.code), place.map { "\($0): \(error.sentence)" } ?? error.sentence, about: name)
    }

    init(_ error: Errno, _ action: String, about name: String? = nil) {
        let code: ExitCode =
            switch error {
            case .accessDenied, .notPermitted, .readOnlyFileSystem: .noPermission
            default: .inputOutput
            }
        let remedy = error.remedy.map { "; \($0)" } ?? ""
        self.init(code, "cannot \(action): \(error)\(remedy)", about: name)
    }

    /// Returns what the call returns, or throws a failure that says why the command cannot continue without it.
    static func wrapping<R: ~Copyable>(
        _ action: String, about name: String? = nil, _ call: () throws(Errno) -> R
    ) throws(Failure) -> R {
        do throws(Errno) { return try call() } catch { throw Failure(error, action, about: name) }
    }
}
