/// Opened once; any number of threads and tasks wait for that.
package final class Gate: Sendable {
    private let log = Log<Void>()

    package init() {}

    package var isOpen: Bool { !log.elements.isEmpty }

    package func open() { log.append(()) }

    /// Blocks this thread until it is open; false if the deadline comes first.
    @discardableResult
    package func wait(within limit: Duration = .testDeadline) -> Bool { log.block(within: limit) { !$0.isEmpty } }

    /// Suspends the task until the gate is open: what opens it may need a thread of Swift's pool.
    @discardableResult
    package func opened(within limit: Duration = .testDeadline) async -> Bool {
        await log.reach(within: limit) { !$0.isEmpty }
    }
}
