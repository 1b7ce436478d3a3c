package import SystemCalls

extension SystemCallTap {
    /// The calls that `body` makes on this thread, in order.
    package static func calls<Failure: Error>(
        during body: () throws(Failure) -> Void
    ) throws(Failure) -> [(call: SystemCall, detail: String)] {
        let calls = Guarded<[(call: SystemCall, detail: String)]>([])
        try tapping { call, detail in
            calls.withLock { $0.append((call, detail)) }
            return .none
        } during: { () throws(Failure) in
            try body()
        }
        return calls.withLock { $0 }
    }

    /// Each such call that `body` makes on this thread fails.
    package static func failing<Result, Failure: Error>(
        _ refused: SystemCall, with error: Errno, during body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try tapping({ call, _ in call == refused ? .fail(error) : .none }, during: body)
    }
}
