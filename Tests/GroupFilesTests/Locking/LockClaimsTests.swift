import Dispatch
import Synchronization
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// An update that has the lock while its actor is blocked, so that its body cannot begin: nobody waits for that actor.
@Suite(.endsInTime)
struct LockClaimsTests {
    /// The caller that waits is a task, and nobody knows whether it blocks anything.
    @Test(arguments: Backend.allCases, [true, false])
    func G5_othersNeedNotWaitForAnActorThatIsBlocked(backend: Backend, useTheSameObject: Bool) async throws {
        let bench = try backend.make()
        let file = try open("v", in: bench)
        let other = useTheSameObject ? file : try open("v", in: bench)
        let goOn = DispatchSemaphore(value: 0)
        let owner = QueueOwner()
        let (isHeld, isBlocked) = (Gate(), Gate())
        // Holds the lock until the actor is blocked: otherwise the body could begin before.
        async let held: Void = other.update { value in
            isHeld.open()
            #expect(await isBlocked.opened())
            value += 10
        }
        #expect(await isHeld.opened())
        async let added: Void = owner.addLater(
            to: file,
            after: {
                isBlocked.open()
                goOn.wait()
            })
        // Declared after the `async let`, to run before the scope's end awaits that.
        defer { goOn.signal() }
        try await held
        await seeClaim(of: file)
        try await other.update { $0 += 10 }
        #expect(file.value == 20)
        goOn.signal()
        try await added
        #expect(file.value == 21)
    }

    /// A call needs its actor only to return to it, whether or not the call had to wait for its turn.
    @Test(arguments: AwaitedCall.allCases, [true, false])
    func othersNeedNotWaitForACallWhoseActorIsBlocked(call: AwaitedCall, hasToWait: Bool) async throws {
        let bench = try Backend.tmpfs.make()
        let file = try open("v", in: bench)
        let queue = call == .read ? file.queues.reads : file.queues.changes
        let turn = hasToWait ? try await BlockingCall.run(in: queue) { _, turn in turn } : nil
        let goOn = DispatchSemaphore(value: 0)
        let owner = QueueOwner()
        let isBlocked = Gate()
        async let called: Void = owner.callLater(
            { _ in try await call.make(on: file) },
            after: {
                isBlocked.open()
                goOn.wait()
            })
        defer { goOn.signal() }
        #expect(await isBlocked.opened())
        if let turn {
            #expect(await eventually { queue.waitingCount == 1 })
            turn.release()
        }
        try await call.make(on: file)
        goOn.signal()
        try await called
    }

    enum AwaitedCall: CaseIterable {
        case read, write, remove

        nonisolated(nonsending) func make(on file: GroupFile<Int>) async throws {
            switch self {
            case .read: try await file.read()
            case .write: try await file.write(1)
            case .remove: try await file.remove()
            }
        }
    }

    /// From the second time on, the update begins once its actor is reached, whatever blocks the actor after that.
    @Test(arguments: Backend.allCases, [true, false])
    func G5_whoLostTheLockTwiceTakesItWhereItsBodyRuns(backend: Backend, isMissing: Bool) async throws {
        let bench = try backend.make()
        let (file, other) = (try open("v", in: bench), try open("v", in: bench))
        // Where other tests make many calls, the gate of all queues lets none begin at once.
        _ = file.queues.madeForChanges.storeIfNil(CallQueue(gate: CallGate(most: 1, patience: .seconds(3600))))
        let (goOn, goOnAgain) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let owner = QueueOwner()
        let (isBlocked, isBlockedAgain) = (Gate(), Gate())
        let held = await holdLock(of: other, until: isBlocked)
        async let added: Void = owner.addLater(
            to: file,
            after: {
                isBlocked.open()
                goOn.wait()
            })
        // Declared after the `async let`, to run before the scope's end awaits that.
        defer {
            goOn.signal()
            goOnAgain.signal()
        }
        try await held.value
        // The task would go on where its actor is blocked: after its first job it has been given another one.
        await seeRevoked(of: file, owner, jobs: 2)
        let heldAgain = await holdLock(of: other, until: isBlockedAgain)
        owner.runAfterJobs {
            isBlockedAgain.open()
            goOnAgain.wait()
        }
        goOn.signal()
        try await heldAgain.value
        await seeRevoked(of: file, owner, jobs: 3)
        try await blocking { if isMissing { try file.remove() } else { try file.write(10) } }
        let isUpdated = Gate()
        let subscription = file.sink { if $0 == (isMissing ? 1 : 11) { isUpdated.open() } }
        let blocksUntilUpdated = Log<Bool>()
        owner.runAfterJobs { blocksUntilUpdated.append(isUpdated.wait()) }
        goOnAgain.signal()
        #expect(await blocksUntilUpdated.wait(until: \.first) == true)
        try await added
        subscription.cancel()
    }

    /// Until the actor is blocked: otherwise the body of an update could begin before.
    private func holdLock(of file: GroupFile<Int>, until isBlocked: Gate) async -> Task<Void, any Error> {
        let isHeld = Gate()
        let held = Task {
            try await file.update { _ in
                isHeld.open()
                #expect(await isBlocked.opened())
            }
        }
        #expect(await isHeld.opened())
        return held
    }

    private func seeRevoked(of file: GroupFile<Int>, _ owner: QueueOwner, jobs: Int) async {
        #expect(await eventually { owner.jobCount == jobs })
        #expect(await eventually { !file.attachedCore.claims.hasPending && file.queues.changes.isFree })
    }

    /// However often the actor of an update was blocked, others get the lock.
    @Test func aClaimIsRevokedInTheEnd() async throws {
        let file = MemoryFile(path: "v") { _ in }
        let turn = try await BlockingCall.run(in: CallQueue()) { _, turn in turn }
        let claim = LockClaim(try Self.lock(of: file), turn, afterRevocations: .max)
        defer { claim.release() }
        #expect(claim.ends.inAnyCase <= .now + .seconds(7))
        #expect(claim.ends.ifUrgent <= claim.ends.inAnyCase)
    }

    /// Tasks keep their order however long their actor is blocked.
    @Test(arguments: Backend.allCases)
    func tasksOfOneActorKeepTheirOrder(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try open("v", in: bench)
        let queue = file.queues.changes
        let goOn = DispatchSemaphore(value: 0)
        let owner = QueueOwner()
        let turn = try await BlockingCall.run(in: queue) { _, turn in turn }
        async let first: Void = owner.run { _ in try await file.update { $0 = $0 * 10 + 1 } }
        #expect(await eventually { queue.waitingCount == 1 })
        async let second: Void = owner.callLater(
            { _ in try await file.update { $0 = $0 * 10 + 2 } }, after: { goOn.wait() })
        // Declared after the `async let`, to run before the scope's end awaits that.
        defer { goOn.signal() }
        #expect(await eventually { queue.waitingCount == 2 })
        turn.release()
        // Waits until the second update, whose turn comes after the first's, has the lock and could begin its body.
        _ = await eventually(within: .seconds(3)) { queue.waitingCount == 0 && file.attachedCore.claims.hasPending }
        goOn.signal()
        try await first
        try await second
        #expect(file.value == 12)
    }

    /// No task waits for an earlier one of its actor that does not go on.
    @Test(arguments: Backend.allCases)
    func aTaskOvertakesOneThatDoesNotGoOn(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try open("v", in: bench)
        let queue = file.queues.changes
        let owner = QueueOwner()
        let turn = try await BlockingCall.run(in: queue) { _, turn in turn }
        async let first: Void = owner.run { _ in try await file.update { $0 = $0 * 10 + 1 } }
        #expect(await eventually { queue.waitingCount == 1 })
        async let second: Void = owner.run { _ in try await file.update { $0 = $0 * 10 + 2 } }
        // Declared after the `async let`, to run before the scope's end awaits that.
        defer { owner.letGo() }
        #expect(await eventually { queue.waitingCount == 2 })
        owner.holdTheNextJob()
        turn.release()
        #expect(await eventually { file.value == 2 })
        owner.letGo()
        try await second
        try await first
        #expect(file.value == 21)
    }

    /// The actor waits for another value, whose holder, a separate process, wants this value too. All of them acquire
    /// the two in the same order.
    @Test(arguments: Backend.directories)
    func G5_whoHasAnotherValueNeedNotWaitForAnActorThatWaitsForIt(backend: Backend) async throws {
        let bench = try backend.make()
        let folder = try #require(bench.folder)
        let (first, second) = (try open("first", in: bench), try open("second", in: bench))
        let control = try Directory(path: folder.path("c/.groupfile"))
        let holder = FileLock(try control.open("first.lock", .readWrite))
        try holder.lock()
        let ended = Log<Result<Void, GroupFileError>>()
        let owner = QueueOwner()
        async let added: Void = owner.addLater(
            to: second,
            after: {
                ended.append(Result { () throws(GroupFileError) in try first.update { $0 += 1 } })
            })
        await seeClaim(of: second)
        let wanted = FileLock(try control.open("second.lock", .readWrite))
        #expect(try await eventually { try wanted.tryLock() })
        wanted.unlock()
        holder.unlock()
        try await ended.wait(until: \.first)?.get()
        try await added
        #expect(first.value == 1)
        #expect(second.value == 1)
    }

    /// Where many want the lock, it is hardly ever free at a given moment.
    @Test(arguments: Backend.allCases)
    func whoIsWhereItsBodyRunsWaitsInLine(backend: Backend) async throws {
        let bench = try backend.make()
        let (file, other) = (try open("v", in: bench), try open("v", in: bench))
        let goOn = Gate()
        let held = await holdLock(of: other, until: goOn)
        let core = file.attachedCore
        #expect(await blocking { file.beginSoon(in: core, within: .milliseconds(1)) == nil })
        async let begun = blocking {
            let transaction = file.beginSoon(in: core, within: .testDeadline)
            transaction?.lock.release()
            return transaction != nil
        }
        #expect(await eventually { core.claims.hasWaiters })
        goOn.open()
        #expect(await begun)
        try await held.value
    }

    /// Although the claim's end was scheduled for later, while nobody waited.
    @Test func whoComesToWaitBringsTheEndOfAClaimForward() async throws {
        let file = MemoryFile(path: "v") { _ in }
        let claims = LockClaims()
        let turn = try await BlockingCall.run(in: CallQueue()) { _, turn in turn }
        let claim = LockClaim(try Self.lock(of: file), turn, ifUrgent: .milliseconds(1), inAnyCase: .seconds(1000))
        claims.add(claim)
        defer { claim.release() }
        let lock = await blocking {
            claims.whileWaiting {
                Result { () throws(GroupFileError) in try Self.lock(of: file, within: .seconds(10)) }
            }
        }
        try lock.get().release()
    }

    /// Whether or not the earlier task has been reached yet: Swift may resume the later one first.
    @Test func whoseClaimIsRevokedIsLetGoFirst() async throws {
        let (claims, queue) = (LockClaims(), CallQueue())
        let (actor, other) = (QueueOwner(), QueueOwner())
        let places = [actor, actor, other].map { queue.newPlace(of: ObjectIdentifier($0)) }
        func add(_ place: CallQueue.Place, for longest: Duration) async throws -> LockClaim {
            let turn = try await BlockingCall.run(in: queue, at: place) { _, turn in turn }
            let lock = try Self.lock(of: MemoryFile(path: "v") { _ in })
            let claim = LockClaim(lock, turn, ifUrgent: longest, inAnyCase: longest)
            claims.add(claim)
            return claim
        }
        let first = try await add(places[0], for: .milliseconds(1))
        for (place, beginning) in [(places[1], LockClaims.Beginning.afterAnEarlierTask), (places[2], .now)] {
            let claim = try await add(place, for: .seconds(1000))
            #expect(claims.begin(claim) == beginning)
            claim.release()
        }
        #expect(claims.begin(first) == .revoked)
        queue.forgetReturning(places[0])
        let again = try await add(places[1], for: .seconds(1000))
        #expect(claims.begin(again) == .now)
        again.release()
    }

    /// What blocks the first one's actor blocks the others', too. Once the first body has been reached, nobody hurries.
    @Test func whileAnActorIsBlockedLaterClaimsEndSoon() async throws {
        let claims = LockClaims()
        func add(ifUrgent patience: Duration, inAnyCase longest: Duration) async throws -> (LockClaim, CallQueue) {
            let queue = CallQueue()
            let turn = try await BlockingCall.run(in: queue) { _, turn in turn }
            let lock = try Self.lock(of: MemoryFile(path: "v") { _ in })
            let claim = LockClaim(lock, turn, ifUrgent: patience, inAnyCase: longest)
            claims.add(claim)
            return (claim, queue)
        }
        let (first, firstQueue) = try await add(ifUrgent: .milliseconds(1), inAnyCase: .milliseconds(1))
        #expect(await eventually { firstQueue.isFree })
        let (second, secondQueue) = try await add(ifUrgent: .milliseconds(1), inAnyCase: .seconds(1000))
        #expect(await eventually { secondQueue.isFree })
        for claim in [first, second] { #expect(claims.begin(claim) == .revoked) }
        let (third, thirdQueue) = try await add(ifUrgent: .zero, inAnyCase: .seconds(1000))
        #expect(!thirdQueue.isFree)
        #expect(claims.begin(third) == .now)
        third.release()
    }

    private static func lock(
        of file: MemoryFile, within timeout: Duration? = nil
    ) throws(GroupFileError) -> any StoredFileLock {
        try file.lock(LockRequest(timeout: timeout, limit: 100)) { _ in true }
    }

    private func open(_ name: String, in bench: Bench) throws -> GroupFile<Int> {
        try GroupFile(name, in: bench.container, initialValue: 0, durability: .relaxed, lockTimeout: .testDeadline)
    }

    /// Waits for a claim, but only for a moment: on a busy machine it may have come and gone.
    private func seeClaim(of file: GroupFile<Int>) async {
        _ = await eventually(within: .seconds(1)) { file.attachedCore.claims.hasPending }
    }
}
