import Foundation

/// SplitMix64: the same seed gives the same numbers, so that the failure of a random test can be repeated.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Different in each run. Each run prints its seed; set `GROUP_FILES_SEED` to it to repeat the run.
    ///
    /// - Parameter stream: Another number for each generator of one test.
    package static func ofThisRun(_ stream: Int = 0) -> SeededGenerator {
        var streams = SeededGenerator(seed: seedOfThisRun)
        for _ in 0..<stream { _ = streams.next() }
        return SeededGenerator(seed: streams.next())
    }

    private static let seedOfThisRun: UInt64 = {
        let given = ProcessInfo.processInfo.environment["GROUP_FILES_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0...UInt64.max)
        print("GROUP_FILES_SEED=\(seed)")
        return seed
    }()

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension RandomNumberGenerator {
    /// One of `choices`, of which there is at least one.
    package mutating func choose<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: choices.indices, using: &self)]
    }
}
