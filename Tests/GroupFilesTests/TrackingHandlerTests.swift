import Dispatch
import Foundation
import GroupFiles
import Observation
import SystemCalls
import TestSupport
import Testing

/// What Observation's handlers may do, and what they hold up.
@Suite(.endsInTime)
struct TrackingHandlerTests {
    enum Change: CaseIterable, Sendable {
        case write, update, remove

        func make(on file: GroupFile<Int>) throws(GroupFileError) {
            switch self {
            case .write: try file.write(1)
            case .update: try file.update { $0 = 1 }
            case .remove: try file.remove()
            }
        }

        var result: Int { self == .remove ? 0 : 1 }
    }

    /// The writer holds the lock until everything is published: another thread calls the handler, which waits for the
    /// lock.
    @Test(arguments: Backend.allCases, Change.allCases)
    func G5_aHandlerMayUpdateTheValueThatChanged(backend: Backend, change: Change) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        try await file.write(5)
        let updated = Log<Result<Int, any Error>>()
        withObservationTracking {
            _ = file.value
        } onChange: {
            let result = Result {
                try file.update { value in
                    value += 10
                    return value
                }
            }
            updated.append(result)
        }
        let changed = Log<Result<Void, any Error>>()
        try Thread.spawn(named: "changer") {
            changed.append(Result { try change.make(on: file) })
        }
        #expect(try await updated.first(within: .seconds(60)) { _ in true }?.get() == change.result + 10)
        try await #require(changed.first(within: .seconds(60)) { _ in true }).get()
        #expect(file.value == change.result + 10)
    }

    /// Each handler sees the value for which it is called, or a newer one.
    @Test(arguments: Backend.allCases)
    func aHandlerReadsTheNewValue(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        var news = 0
        for round in 1...20 {
            let seen = Log<Int>()
            // Waits for the previous round's value, which may arrive late.
            #expect(await eventually { file.value == round - 1 })
            withObservationTracking {
                _ = file.value
            } onChange: {
                seen.append(file.value)
            }
            try await file.write(round)
            let value = await seen.first { _ in true }
            #expect(value == round || value == round - 1)
            if value == round { news += 1 }
        }
        #expect(news > 0)
    }

    /// The thread that reads all events finds the end of a directory.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G8_aHandlerThatBlocksHoldsUpNoEvents(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let file = try GroupFile("v", in: GroupContainer(directory: folder.path("c")), initialValue: 0)
        let other = try GroupFile("w", in: GroupContainer(directory: folder.path("d")), initialValue: 0)
        let told = Log<Int>()
        let subscription = other.sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first { $0 == 0 } != nil)
        let (begun, goOn) = blockTracking { _ = file.health }
        defer { goOn.signal() }
        try FileManager.default.removeItem(atPath: folder.path("c"))
        #expect(await begun.opened())
        try folder.write("7", to: "d/w")
        #expect(await told.first(within: .seconds(20)) { $0 == 7 } != nil)
    }

    @Test(arguments: Backend.directories)
    func G8_aHandlerThatBlocksHoldsUpNoSubscriber(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        let told = Log<Int>()
        let subscription = file.sink { told.append($0) }
        defer { subscription.cancel() }
        #expect(await told.first { $0 == 0 } != nil)
        let (begun, goOn) = blockTracking { _ = file.value }
        defer { goOn.signal() }
        try bench.put("7", in: "v")
        #expect(await begun.opened())
        #expect(await told.first(within: .seconds(20)) { $0 == 7 } != nil)
    }

    /// Tracks what `read` reads; the handler says that it has `begun`, and blocks until it may `goOn`.
    private func blockTracking(_ read: () -> Void) -> (begun: Gate, goOn: DispatchSemaphore) {
        let begun = Gate()
        let goOn = DispatchSemaphore(value: 0)
        withObservationTracking {
            read()
        } onChange: {
            begun.open()
            goOn.wait()
        }
        return (begun, goOn)
    }
}
