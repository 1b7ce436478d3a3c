import Synchronization

/// The updates that the running code is inside of, so that a nested update of the same value fails instead of waiting
/// for itself.
///
/// A codec that is called while the lock is held counts as being within an update, whatever the change is.
struct UpdateScope: Sendable {
    @TaskLocal static var current: UpdateScope?

    /// One update. A task that was started within it may outlive it.
    private final class Update: Sendable {
        let core: FileCore
        /// The queue of the task that updates; nil if a thread updates.
        let queue: CallQueue?
        private let hasEnded = Atomic(false)

        init(_ core: FileCore, _ queue: CallQueue?) {
            self.core = core
            self.queue = queue
        }

        var isRunning: Bool { !hasEnded.load(ordering: .acquiring) }

        func end() { hasEnded.store(true, ordering: .releasing) }
    }

    private let own: Update
    /// The updates that were running when this one began. Not their scopes, because then each scope would keep all
    /// earlier ones alive.
    private let outer: [Update]

    init(_ core: FileCore, queue: CallQueue? = nil) {
        own = Update(core, queue)
        outer = Self.current?.updates.filter(\.isRunning) ?? []
    }

    private var updates: [Update] { outer + [own] }

    static func contains(_ core: FileCore) -> Bool {
        current?.updates.contains { $0.core === core && $0.isRunning } ?? false
    }

    /// Whether the running code is inside an update by one of the queue's tasks. Finds the update even if the
    /// directory, and with it the core, was replaced meanwhile.
    static func contains(_ queue: CallQueue) -> Bool {
        current?.updates.contains { $0.queue === queue && $0.isRunning } ?? false
    }

    /// Whether any value's lock is held for as long as this code runs.
    static var isWithinAny: Bool { current?.updates.contains(where: \.isRunning) ?? false }

    /// Runs `body` on another thread, with `scope` as the current one.
    static func resume<R>(_ scope: UpdateScope?, _ body: () throws -> R) rethrows -> R {
        try $current.withValue(scope) { try body() }
    }

    func run<R, Failure: Error>(_ body: () throws(Failure) -> R) throws(Failure) -> R {
        defer { own.end() }
        return try Self.$current.withValue(self) { Result(catching: body) }.get()
    }

    /// Does not leave the caller's isolation, which the closure inherits because it uses the parameter. Otherwise, on
    /// the way back, a call that blocks the actor could come first and wait for the lock that is held here.
    func run<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: nonisolated(nonsending) () async throws -> R
    ) async throws -> R {
        defer { own.end() }
        return try await Self.$current.withValue(self) {
            _ = isolation
            return try await body()
        }
    }
}
