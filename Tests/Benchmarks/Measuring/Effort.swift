/// How much work goes into each figure.
struct Effort {
    /// Pairs of blocks, and writes in a block.
    let pairs: Int
    let writes: Int
    /// Pairs of what takes long, and how many seconds each block takes.
    let longPairs: Int
    let seconds: Double
    let viewers: Int
    let viewerWrites: Int
    let files: Int
    let subscribers: Int
    let idleFiles: Int
    let idleSeconds: Double
    let runs: Int

    static let full = Effort(
        pairs: 20, writes: 50, longPairs: 5, seconds: 1, viewers: 50, viewerWrites: 100, files: 10_000,
        subscribers: 1_000, idleFiles: 1_000, idleSeconds: 20, runs: 10)
    /// Shows that each row runs, and nothing about speed.
    static let quick = Effort(
        pairs: 2, writes: 8, longPairs: 1, seconds: 0.1, viewers: 4, viewerWrites: 5, files: 300, subscribers: 100,
        idleFiles: 100, idleSeconds: 1, runs: 2)

    /// Writes a second, where they are paced.
    static let rate = 200
    static let viewersRate = 50
    static let updaters = 8
}
