/// Reads a channel from a task: at once what it has not seen yet, else it suspends. Always the newest, never one twice;
/// nil once the task is cancelled, and for ever after.
///
/// It is in the channel only while it is suspended, so dropping it leaves nothing behind.
package struct ChannelReader<Element: Sendable>: AsyncIteratorProtocol {
    private let core: ChannelCore
    private let open: @Sendable (Payload) -> Element
    /// The version of what was read last; the greatest of all once it has ended.
    private var seen: UInt64

    package init(_ core: ChannelCore, seen: UInt64, _ open: @escaping @Sendable (Payload) -> Element) {
        self.core = core
        self.seen = seen
        self.open = open
    }

    package mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        while seen != .max {
            let look = core.look(after: seen)
            if case .nothing(let id) = look { await wait(as: id, isolation: isolation) }
            if Task.isCancelled {
                seen = .max
            } else if case .new(let payload, let version) = look {
                seen = version
                return open(payload)
            }
        }
        return nil
    }

    private func wait(as id: UInt64, isolation: isolated (any Actor)?) async {
        let core = core
        await withTaskCancellationHandler {
            await unsafe withUnsafeContinuation { continuation in
                unsafe core.register(Waiter(id: id, core: core, continuation: continuation), after: seen)
                // Register first, then check: a cancellation before the registration found nobody to wake.
                if Task.isCancelled { core.wake(id) }
            }
        } onCancel: {
            core.wake(id)
        }
    }
}
