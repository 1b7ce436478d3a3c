import Dispatch
package import SystemCalls

/// While `body` runs on a thread that may wait, the first look at `path` hangs, as in a file system that does not
/// answer. `body` must not wait for anything longer than to `end`.
package func whileALookHangs(
    at path: String, _ body: @Sendable (_ isStuck: Gate, _ start: Moment, _ end: Moment) throws -> Void
) async throws {
    let (isStuck, mayGoOn) = (Gate(), DispatchSemaphore(value: 0))
    try await blocking {
        try SystemCallTap.tapping(everyThread: true) { call, detail in
            if call == .fstatat, detail == path, !isStuck.isOpen {
                isStuck.open()
                mayGoOn.wait()
            }
            return .none
        } during: {
            defer { mayGoOn.signal() }
            let start = Moment.now
            try body(isStuck, start, start + .seconds(20))
        }
    }
}

/// Waits for an element on a thread that may wait; the caller checks whether one came.
package func wait<Element>(for told: Log<Element>, until end: Moment) {
    _ = told.block(within: end - .now) { !$0.isEmpty }
}
