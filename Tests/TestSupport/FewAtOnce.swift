package import Testing

/// Lets few tests run at once of all that bear it, the others wait in line: tests that start processes, each of which has an
/// inotify instance. A user may have no more than 128 of them, for all programs, where nobody has raised the limit.
///
/// Without it all tests begin at once, and what one has started waits while the others take their turns on two
/// cooperative threads.
package struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    private static let running = AsyncSemaphore(16)

    /// What bears it is mostly a suite; who waits are its tests.
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if testCase == nil { return try await function() }
        try await Self.running.whileInside(function)
    }
}

extension Trait where Self == FewAtOnce {
    package static var fewAtOnce: Self { FewAtOnce() }
}
