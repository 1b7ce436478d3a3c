/// Something that gives elements to one task, one after the other; the inside of an asynchronous iterator.
package protocol ValueReader<Element> {
    associatedtype Element: Sendable

    /// The next element; nil once the task is cancelled, and for ever after.
    mutating func next(isolation: isolated (any Actor)?) async -> Element?
}

/// Reads a channel from a task: at once what it has not seen yet, else it suspends. Always the newest, never one twice.
///
/// It is in the channel only while it is suspended, so dropping it leaves nothing behind.
package struct ChannelReader<Element: Sendable>: ValueReader {
    private let channel: Channel<Element>
    private var seen: UInt64
    private var hasEnded = false

    init(_ channel: Channel<Element>, seen: UInt64) {
        self.channel = channel
        self.seen = seen
    }

    package mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        while !hasEnded {
            let look = channel.core.look(after: seen)
            if case .nothing(let id) = look {
                await wait(as: id, isolation: isolation)
            }
            if Task.isCancelled {
                hasEnded = true
            } else if case .new(let payload, let version) = look {
                seen = version
                return Channel<Element>.open(payload)
            }
        }
        return nil
    }

    private func wait(as id: UInt64, isolation: isolated (any Actor)?) async {
        let core = channel.core
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
