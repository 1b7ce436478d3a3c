struct PayloadReader {
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
