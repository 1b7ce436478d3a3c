import Foundation
import SystemCalls
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct FairnessTests {
    /// G5: processes that wait for the lock get it in turn, and none starves.
    ///
    /// The kernel decides who gets the processor. So one round of five is enough in which the slowest of eight
    /// processes had a fifth of the fastest one's turns, and only those rounds count as failures in which the eight had
    /// half of what the processors did. Where no program is fast, the kernel alone may be as fair as that. Only turns
    /// make sure of it, so the test checks that they are taken.
    @Test(.serialized, arguments: TemporaryDirectory.Place.allCases)
    func G5_eightUpdatersHaveTheirTurns(place: TemporaryDirectory.Place) async throws {
        var shares: [Double] = []
        for _ in 0..<5 {
            let folder = try TemporaryDirectory(on: place)
            let start = Moment.now + .seconds(1)
            let end = start + .seconds(2)
            let programs = try (0..<8).map { _ in
                try Program(
                    .product("probe"),
                    ["turns", folder.path("c"), "n", "\(start.nanoseconds)", "\(end.nanoseconds)"])
            }
            var turns: [Int] = []
            var own = 0
            var all = 0
            for program in programs {
                let line = try await program.line(within: .testDeadline, "the turns") { !$0.isEmpty }
                // On a machine so busy that one process began late, the round proves nothing.
                let numbers = line.split(separator: " ").compactMap { Int($0) }
                guard numbers.count == 3 else { continue }
                turns.append(numbers[0])
                own += numbers[1]
                all = max(all, numbers[2])
            }
            guard turns.count == 8, let least = turns.min(), let most = turns.max() else { continue }
            let share = Double(least) / Double(max(most, 1))
            #expect(FileManager.default.fileExists(atPath: folder.path("c/.groupfile/n.turn")), "nobody took turns")
            if share >= 0.2 { return }
            if own * 2 >= all { shares.append(share) }
        }
        #expect(shares.isEmpty, "slowest / fastest: \(shares)")
        if shares.isEmpty { BusyMachine.provesNothing("five rounds") }
    }
}
