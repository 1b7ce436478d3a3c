package import Testing

extension TemporaryDirectory {
    /// Runs a shell script in the directory, to its end, and returns what it printed. The test fails if the script
    /// does.
    @discardableResult
    package func shell(
        _ script: String, environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let outcome = try await Program.run(.command("sh"), ["-ec", script], environment: environment, directory: path)
        #expect(outcome.exit == .code(0), "\(script): \(outcome.errors)", sourceLocation: sourceLocation)
        return outcome.output
    }
}
