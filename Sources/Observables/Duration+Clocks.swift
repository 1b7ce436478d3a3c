extension Duration {
    /// The duration, or what is nearest to it that clocks can wait for: further off the standard library's trap. The
    /// longest is more than a century.
    var withinClocks: Duration {
        let farthest = Duration.seconds(1 << 32)
        return max(min(self, farthest), .zero - farthest)
    }
}
