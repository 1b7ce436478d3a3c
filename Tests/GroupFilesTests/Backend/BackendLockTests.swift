import Dispatch
import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Several callers that change one value at the same time, on every backend.
@Suite(.endsInTime)
struct BackendLockTests {
    @Test(arguments: Backend.allCases)
    func noUpdateIsLostAmongThreads(backend: Backend) async throws {
        let bench = try backend.make()
        let container = bench.container
        let rounds = 40
        let done = Log<Result<Void, any Error>>()
        for _ in 0..<4 {
            try Thread.spawn(named: "updater") {
                done.append(
                    Result {
                        let file = try GroupFile("v", in: container, initialValue: 0, durability: .relaxed)
                        for _ in 0..<rounds { try file.update { $0 += 1 } }
                    })
            }
        }
        #expect(await done.reach { $0.count == 4 })
        for result in done.elements { try result.get() }
        #expect(try await GroupFile("v", in: container, initialValue: 0).read() == 4 * rounds)
    }

    @Test(arguments: Backend.allCases)
    func noUpdateIsLostAmongTasks(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0, durability: .relaxed)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await file.update { value async throws -> Void in
                        let before = value
                        await Task.yield()
                        value = before + 1
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(file.value == 20)
    }

    /// Encodes 1 only when `goOn` is signalled.
    private static func slowCodec(_ begun: Gate, _ goOn: DispatchSemaphore) -> GroupCodec<Int> {
        .decimal(encoding: { value in
            if value == 1 {
                begun.open()
                goOn.wait()
            }
        })
    }

    /// Once an update has the lock it is too late to cancel: it keeps the lock until it has published.
    @Test(arguments: Backend.allCases)
    func aCancelDuringAnUpdateComesTooLate(backend: Backend) async throws {
        let bench = try backend.make()
        let begun = Gate()
        let goOn = DispatchSemaphore(value: 0)
        defer { goOn.signal() }
        let slow = try GroupFile(
            "v", in: bench.container, initialValue: 0, codec: Self.slowCodec(begun, goOn))
        let other = try GroupFile("v", in: bench.container, initialValue: 0, lockTimeout: .milliseconds(50))
        let task = Task { try await slow.update { $0 += 1 } }
        #expect(await begun.opened())
        task.cancel()
        let error = await #expect(throws: GroupFileError.self) { try await other.update { $0 += 10 } }
        #expect(error?.code == .timedOut)
        goOn.signal()
        try await task.value
        #expect(try await other.read() == 1)
    }

    /// Holds the value's lock until it is told to let go.
    private final class Holder: Sendable {
        private let end = DispatchSemaphore(value: 0)

        init(_ file: GroupFile<Int>) async throws {
            let begun = Gate()
            let end = end
            try Thread.spawn(named: "holder") {
                do throws(GroupFileError) {
                    try file.update { value in
                        begun.open()
                        end.wait()
                        value += 100
                    }
                } catch {
                    Issue.record(error)
                }
            }
            #expect(await begun.opened())
        }

        func letGo() { end.signal() }
        deinit { end.signal() }
    }

    @Test(arguments: Backend.allCases)
    func lockTimeoutThrowsTimedOut(backend: Backend) async throws {
        let bench = try backend.make()
        let holding = try GroupFile("v", in: bench.container, initialValue: 0)
        let impatient = try GroupFile("v", in: bench.container, initialValue: 0, lockTimeout: .milliseconds(20))
        let holder = try await Holder(holding)
        for _ in 0..<3 {
            await #expect { try await impatient.write(1) } throws: { ($0 as? GroupFileError)?.code == .timedOut }
        }
        #expect(impatient.value == 0)
        holder.letGo()
        #expect(await eventually { impatient.value == 100 })
        let patient = try GroupFile("v", in: bench.container, initialValue: 0, lockTimeout: .testDeadline)
        try await patient.write(2)
        #expect(holding.value == 2)
    }

    /// Also with a timeout of more nanoseconds than any clock counts.
    @Test(
        arguments: Backend.allCases,
        [Duration.testDeadline, .milliseconds(9_223_372_036_900), .seconds(9_223_372_037)])
    func whoWaitsWithinTheTimeoutGetsTheLock(backend: Backend, timeout: Duration) async throws {
        let bench = try backend.make()
        let holding = try GroupFile("v", in: bench.container, initialValue: 0)
        let waiting = try GroupFile("v", in: bench.container, initialValue: 0, lockTimeout: timeout)
        let holder = try await Holder(holding)
        async let updated: Void = waiting.update { value async throws -> Void in value += 1 }
        #expect(await eventually { !waiting.queues.changes.isFree })
        holder.letGo()
        try await updated
        #expect(holding.value == 101)
    }

    @Test(arguments: Backend.allCases, [Duration.seconds(-1), .seconds(-10_000_000_000)])
    func aTimeoutBeforeNowIsOver(backend: Backend, timeout: Duration) async throws {
        let bench = try backend.make()
        let holding = try GroupFile("v", in: bench.container, initialValue: 0)
        let late = try GroupFile("v", in: bench.container, initialValue: 0, lockTimeout: timeout)
        let holder = try await Holder(holding)
        let codes = Log<GroupFileError.Code?>()
        try Thread.spawn(named: "late") {
            do throws(GroupFileError) {
                try late.write(1)
                codes.append(nil)
            } catch {
                codes.append(error.code)
            }
        }
        #expect(await codes.first { _ in true } == .timedOut)
        holder.letGo()
        #expect(await eventually { holding.value == 100 })
    }

    enum Change: CaseIterable, Sendable {
        case write, update, suspendingUpdate, remove

        func callAsFunction(_ file: GroupFile<Int>) async throws {
            switch self {
            case .write: try await file.write(7)
            case .update: try await file.update { $0 = 7 }
            case .suspendingUpdate: try await file.update { value async throws -> Void in value = 7 }
            case .remove: try await file.remove()
            }
        }
    }

    /// Or that is cancelled before it waits.
    @Test(arguments: Backend.allCases, Change.allCases)
    func aTaskThatIsCancelledWhileItWaitsChangesNothing(backend: Backend, change: Change) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        let holder = try await Holder(file)
        for isWaiting in [false, true] {
            let task = Task { try await change(file) }
            if isWaiting { #expect(await eventually { !file.queues.changes.isFree }) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        holder.letGo()
        #expect(await eventually { file.value == 100 })
        try await file.update { value async throws -> Void in value += 1 }
        #expect(file.value == 101)
    }

    @Test(arguments: Backend.allCases)
    func ofManyWhoMakeTheValueTheFirstWins(backend: Backend) async throws {
        let bench = try backend.make()
        let container = bench.container
        for round in 0..<10 {
            let values = Log<Result<Int, any Error>>()
            for maker in 1...4 {
                try Thread.spawn(named: "maker") {
                    values.append(Result { try GroupFile("v\(round)", in: container, initialValue: maker).value })
                }
            }
            #expect(await values.reach { $0.count == 4 })
            let seen = Set(try values.elements.map { try $0.get() })
            let file = try GroupFile("v\(round)", in: container, initialValue: 0)
            #expect(seen == [file.value])
        }
    }

    @Test(arguments: Backend.allCases)
    func whatOneWritesTheOtherReadsAtOnce(backend: Backend) throws {
        let bench = try backend.make()
        let writer = try GroupFile("v", in: bench.container, initialValue: 0, durability: .relaxed)
        let readers = try (0..<3).map { _ in try GroupFile("v", in: bench.container, initialValue: 0) }
        for number in 1...500 {
            try writer.write(number)
            #expect(readers.map(\.value) == [number, number, number])
        }
        try writer.remove()
        #expect(readers.map(\.value) == [0, 0, 0])
    }
}
