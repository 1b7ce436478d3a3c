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
    private var reader: PayloadReader

    init(_ core: ChannelCore, seen: UInt64) {
        reader = PayloadReader(core: core, seen: seen)
    }

    package mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        await reader.next(isolation: isolation).map(Channel<Element>.open)
    }
}

/// The same for an ``ObjectChannel``.
package struct ObjectReader<Object: AnyObject & Sendable>: ValueReader {
    private var reader: PayloadReader

    init(_ core: ChannelCore) {
        reader = PayloadReader(core: core, seen: 0)
    }

    package mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Object? {
        await reader.next(isolation: isolation).map(ObjectChannel<Object>.open)
    }
}

private struct PayloadReader {
    let core: ChannelCore
    /// The version of what was read last; the greatest of all once it has ended.
    var seen: UInt64

    mutating func next(isolation: isolated (any Actor)?) async -> Payload? {
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
                // Register first, then check: a cancellation before the registration found nobody to wake.
                if Task.isCancelled { core.wake(id) }
            }
        } onCancel: {
            core.wake(id)
        }
    }
}
