import SystemCalls

extension ChildProcess.Ending {
    /// As shells count: its own code, or 128+n.
    var code: Int32 {
        switch self {
        case .exited(let code): code
        case .signalled(let signal): 128 + signal.rawValue
        }
    }

    var isSuccess: Bool { self == .exited(0) }

    /// Completes "jq …".
    var sentence: String {
        switch self {
        case .exited(let code): "exited with \(code)"
        case .signalled(let signal): "was ended by signal \(signal.rawValue)"
        }
    }
}
