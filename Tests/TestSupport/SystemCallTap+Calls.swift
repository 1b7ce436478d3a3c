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
}
