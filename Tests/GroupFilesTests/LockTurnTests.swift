import GroupFiles
import SystemCalls
import TestSupport
import Testing

struct LockTurnTests {
    /// G5: who finds that others wait takes a turn, makes some changes in it, and takes another one then.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G5_aTurnLastsAMoment(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        /// Whether the turn was asked for, beside the lock.
        func takesTurn(_ value: Int) throws -> Bool {
            let locks = Guarded(0)
            try SystemCallTap.tapping { call, _ in
                if call == .flock { locks.withLock { $0 += 1 } }
                return .none
            } during: {
                try file.write(value)
            }
            return locks.withLock { $0 } > 1
        }
        #expect(try !takesTurn(1))
        // That somebody has waited, the lock file's size says; who writes next sees it once he has the lock.
        let size = 1024
        try folder.write(String(repeating: "\n", count: size), to: "c/.groupfile/v.lock")
        _ = try takesTurn(2)
        var fastest = Duration.seconds(1)
        let turns = try (3..<300).map { value in
            let begun = Moment.now
            defer { fastest = min(fastest, Moment.now - begun) }
            return try takesTurn(value)
        }
        #expect(turns.contains(true))
        // A machine on which one write takes as long as a turn makes each in a turn of its own.
        #expect(turns.contains(false) || fastest > .microseconds(100))
        let end = Moment.now + .milliseconds(1)
        while Moment.now < end {}
        #expect(try takesTurn(300))
    }
}
