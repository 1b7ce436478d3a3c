import Dispatch
import GroupFiles
import Observables
import TestSupport
import Testing

/// Waiting for a value takes no time where the value is already there.
struct FirstValueTests {
    @Test(arguments: Backend.allCases)
    func whatAlreadyHoldsIsFoundInNoTime(backend: Backend) async throws {
        let bench = try backend.make()
        let file = try GroupFile("v", in: bench.container, initialValue: 0)
        for number in 1...200 {
            try await file.write(number)
            #expect(try await file.first(timeout: .zero) { $0 == number } == number)
        }
        await #expect(throws: GroupFileError.self) { try await file.first(timeout: .zero) { $0 < 0 } }
    }

    @Test func G13_aCancelInAPredicateDoesNotWait() async throws {
        let container = GroupContainer.inMemory()
        let (file, other) = (
            try GroupFile("v", in: container, initialValue: 1), try GroupFile("other", in: container, initialValue: 1)
        )
        let (isCalled, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
        let slow = other.sink { _ in
            isCalled.open()
            mayEnd.wait()
        }
        try #require(await isCalled.opened())
        let found = Log<Int>()
        let task = Task {
            let value = try await file.first(timeout: .testDeadline) { _ in
                slow.cancel()
                return true
            }
            found.append(value)
        }
        #expect(await found.first { $0 == 1 } != nil)
        mayEnd.signal()
        try await task.value
    }

    @Test func keysAndNamesTimeOutAsValuesDo() async throws {
        let container = GroupContainer.inMemory()
        let key = GroupDefaults(container: container).observe("v", as: Int.self)
        let names = container.names
        let timesOut = [
            { _ = try await key.first(timeout: .zero) { $0 == 1 } },
            { _ = try await names.first(timeout: .zero) { $0 == ["v"] } },
        ]
        for timesOut in timesOut {
            await #expect { try await timesOut() } throws: { ($0 as? GroupFileError)?.code == .timedOut }
        }
        try GroupDefaults(container: container).set(1, forKey: "v")
        // The names have been observed, so another thread reports the change to them.
        #expect(await eventually { names.value == ["v"] })
        for inTime in timesOut { try await inTime() }
    }

    @Test func whatIsMadeOfAValueIsFoundInNoTime() async throws {
        let file = try GroupFile("v", in: .inMemory(), initialValue: 0)
        let doubled = file.map { 2 * $0 }
        for number in 1...200 {
            try await file.write(number)
            #expect(try await doubled.first(timeout: .zero) { $0 == 2 * number } == 2 * number)
        }
        await #expect(throws: TimedOut(timeout: .zero)) { try await doubled.first(timeout: .zero) { $0 < 0 } }
    }
}
