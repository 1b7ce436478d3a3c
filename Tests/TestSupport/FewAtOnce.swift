package import Testing

/// Of all tests with this trait only a few run at once; the others wait in line. It is for tests that start processes:
/// each has an inotify instance, and unless somebody has raised the limit, a user may have only 128 in all programs
/// together.
///
/// Without it all tests begin at once, and the processes that one has started wait while the other tests take their
/// turns on two cooperative threads.
package struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    private static let running = AsyncSemaphore(16)

    /// Mostly a suite has the trait, but it is each of its tests that waits.
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
