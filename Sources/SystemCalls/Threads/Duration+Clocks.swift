extension Duration {
    /// Anything longer counts as for ever: some 34 years, which every clock can represent.
    static let longestWait = Duration.seconds(1 << 30)

    /// The duration, clamped to what clocks can wait for: beyond that they, and the standard library, trap.
    package var withinClocks: Duration {
        max(min(self, .longestWait), .zero - .longestWait)
    }
}
