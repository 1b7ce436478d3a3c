/// Reads a `ChannelCore` from a task: returns at once a payload that it has not seen yet, and otherwise suspends. It
/// always returns the newest payload, never the same one twice, and nil for ever once the task is cancelled.
///
/// It is registered in the channel only while it is suspended, so dropping it leaves nothing behind. It is not generic,
/// because then an element type's metadata would be requested each time the task resumes.
package struct PayloadReader {
    private let core: ChannelCore
    /// The version of what was read last; the greatest possible one once the reader has ended.
    private var seen: UInt64

    package init(_ core: ChannelCore, seen: UInt64) {
        self.core = core
        self.seen = seen
    }

    package mutating func next(isolation: isolated (any Actor)?) async -> Payload? {
        while seen != .max {
            let look = core.look(after: seen)
            if case .nothing(let id) = look { await wait(as: id, isolation: isolation) }
            if Task.isCancelled {
                seen = .max
            } else if case .new(let payload, let version) = look {
                seen = version
                return payload
            }
        }
        return nil
    }

    private func wait(as id: UInt64, isolation: isolated (any Actor)?) async {
        let core = core
        await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { continuation in
                unsafe core.register(Waiter(id: id, core: core, continuation: continuation), after: seen)
                // Register first, then check: a cancellation before the registration found no waiter to wake.
                if Task.isCancelled { core.wake(id) }
            }
        } onCancel: {
            core.wake(id)
        }
    }
}
