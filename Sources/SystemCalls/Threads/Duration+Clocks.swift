extension Duration {
    /// What is longer is for ever: some 34 years, which every clock can count.
    static let longestWait = Duration.seconds(1 << 30)

    /// The duration, or what is nearest to it that clocks can wait for: further off they, and the standard library, trap.
    package var withinClocks: Duration {
        max(min(self, .longestWait), .zero - .longestWait)
    }
}
