import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

struct LockTurnTests {
    /// G5: a writer that finds others waiting takes a turn, makes some changes in it, and then takes another turn.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G5_aTurnLastsAMoment(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        /// Whether the write asked for the turn besides the lock.
        func takesTurn(_ value: Int) throws -> Bool {
            try SystemCallTap.calls { try file.write(value) }.count { $0.call == .flock } > 1
        }
        #expect(try !takesTurn(1))
        // The lock file's size says that somebody has waited; the next writer sees this once it has the lock.
        func mark() throws {
            try folder.write(String(repeating: "\n", count: 1024), to: "c/.groupfile/v.lock")
        }
        try mark()
        _ = try takesTurn(2)
        let writes = try (3..<300).map { value in
            let begun = Moment.now
            return (begun: begun, takesTurn: try takesTurn(value), ended: Moment.now)
        }
        #expect(writes.map(\.takesTurn).contains(true))
        // Two writes in a row each take a turn only where the first turn's time has passed meanwhile, as on a slow
        // machine.
        #expect(
            zip(writes, writes.dropFirst()).allSatisfy { one, next in
                !one.takesTurn || !next.takesTurn || next.ended - one.begun > .microseconds(250)
            })
        // Where these writes took a second, the mark has gone, because nobody else held the lock.
        let takesAnother = try (0..<100).contains { round in
            try mark()
            _ = try takesTurn(300 + 2 * round)
            let end = Moment.now + .milliseconds(1)
            while Moment.now < end {}
            return try takesTurn(301 + 2 * round)
        }
        #expect(takesAnother)
    }

    /// G5: the process that has the turn may have been stopped. A caller that has waited for the turn for too long
    /// waits for the lock itself, and so do all later callers, until the turn is free again.
    @Test(arguments: [Duration?.none, .testDeadline * 2])
    func G5_aTurnThatDoesNotComeIsWaitedForOnce(timeout: Duration?) async throws {
        let folder = try TemporaryDirectory()
        let lock = try ValueLock("v", in: Directory(path: folder.path), control: nil, sharing: nil)
        let stopped = FileLock(try lock.control.open("v.turn", [.readWrite, .create], permissions: 0o600))
        let holder = FileLock(try lock.control.open("v.lock", .readWrite))
        let turnFile = try stopped.descriptor.status().identity.inode
        let lockFile = try holder.descriptor.status().identity.inode
        try stopped.lock()
        for round in 0..<3 {
            try holder.lock()
            async let isHeld = blocking { try lock.acquire(LockRequest(timeout: timeout, limit: 0)) }
            if round == 0 { #expect(try await eventually { try ProcessTable.waiters(for: turnFile) == 1 }) }
            #expect(try await eventually { try ProcessTable.waiters(for: lockFile) == 1 })
            // The thread that waited for the turn still does.
            #expect(try await eventually { try ProcessTable.waiters(for: turnFile) == 1 })
            holder.unlock()
            #expect(try await isHeld)
            lock.unlock()
            let isBlocked = lock.turns.isTurnBlocked
            #expect(isBlocked)
        }
        stopped.unlock()
        #expect(await eventually { !lock.turns.isTurnBlocked })
    }

    /// After a second in which nobody else has waited, a writer no longer needs to take a turn.
    @Test func theMarkGoesAfterAQuietSecond() async throws {
        let folder = try TemporaryDirectory()
        let begun = Moment.now
        try folder.write(String(repeating: "\n", count: 1024), to: "v.lock")
        let directory = try Directory(path: folder.path)
        let lock = FileLock(try directory.open("v.lock", .readWrite))
        let turns = LockTurns(for: lock, of: "v", in: directory, sharing: .owner, group: directory.group)
        func isOutdated() throws -> Bool {
            defer { lock.unlock() }
            try #require(try turns.acquire(LockRequest(limit: 0)))
            return turns.noteLook(try lock.descriptor.status().fingerprint)
        }
        #expect(try !isOutdated() && turns.isMarked)
        #expect(try await eventually { try isOutdated() })
        // The kernel's times are coarse.
        #expect(Moment.now - begun > .milliseconds(900) && !turns.isMarked)
    }

    /// Callers that have waited for two seconds no longer go by turns. A writer that has held the lock for long, and
    /// wants it again, lets them go first.
    @Test(arguments: [true, false])
    func G5_whoHasHeldTheLockForLongLetsOthersComeFirst(hasWaiters: Bool) async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
        @Sendable func sleeps(_ round: Int) throws -> Int {
            // The lock file as another writer leaves it, so that this writer writes its own line into it.
            try folder.write("another\n", to: "c/.groupfile/v.lock")
            try file.update { value in
                value = round
                let end = Moment.now + .milliseconds(510)
                while Moment.now < end { _ = Semaphore().wait(until: end) }
                if hasWaiters { try folder.write(String(repeating: "\n", count: 1024), to: "c/.groupfile/v.lock") }
            }
            return try SystemCallTap.calls { try file.write(-1) }.count { $0.call == .poll }
        }
        // On a slow machine the writer's lock may have been closed meanwhile: then others had time to go first.
        let lets = try await blocking { try (1...(hasWaiters ? 10 : 1)).contains { try sleeps($0) > 0 } }
        #expect(lets == hasWaiters)
    }
}
