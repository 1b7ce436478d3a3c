import Foundation
import GroupFiles
import SystemCalls
import TestSupport
import Testing

/// A foreign writer slips in between a change's look at the file and its publication: a second publication carries over
/// what that writer left.
struct SlippedInTests {
    enum Obstacle: CaseIterable, Sendable {
        case none, noSpace, lostLock
    }

    struct Lamp: Codable, Sendable {
        var a = 0
    }

    private static let foreign = foreign(1)

    private static func foreign(_ time: Int) -> String { #"{"a":1,"zz":\#(time)}"# }

    /// Changes `a` from 1 to 2, while the foreign writer slips in before the first `times` exchanges, and the obstacle
    /// comes up before the second.
    private func change(
        _ folder: TemporaryDirectory, _ obstacle: Obstacle, times: Int = 1, _ body: (GroupFile<Lamp>) throws -> Void
    ) throws -> (text: String, kept: [String: String]) {
        let container = try GroupContainer(directory: folder.path("c"))
        try folder.write(#"{"a":1}"#, to: "c/v")
        let file = try GroupFile("v", in: container, initialValue: Lamp())
        let writes = Guarded(0)
        let exchanges = Guarded(0)
        let control = folder.path("c/.groupfile")
        SystemCallTap.tapping { call, detail in
            if call == .write {
                let number = writes.withLock {
                    $0 += 1; return $0
                }
                if number == 2, obstacle == .noSpace { return .fail(.noSpace) }
            }
            guard call == .renameat2, detail.hasSuffix("exchange") else { return .none }
            let number = exchanges.withLock {
                $0 += 1; return $0
            }
            do {
                if number <= times { try folder.write(Self.foreign(number), to: "c/v") }
                if number == 2, obstacle == .lostLock {
                    let names = try FileManager.default.contentsOfDirectory(atPath: control)
                    for name in names where !name.contains("rejected") {
                        try FileManager.default.removeItem(atPath: control + "/" + name)
                    }
                }
            } catch {
                Issue.record(error)
            }
            return .none
        } during: {
            #expect(throws: Never.self) { try body(file) }
        }
        #expect(file.value.a == 2)
        #expect(file.status == .current)
        let kept = try FileManager.default.contentsOfDirectory(atPath: control).filter { $0.contains("rejected") }
        return (
            try folder.read("c/v"),
            Dictionary(uniqueKeysWithValues: try kept.map { ($0, try folder.read("c/.groupfile/" + $0)) })
        )
    }

    /// The change was made by the first publication: it counts once, and does not fail. What the foreign writer left is
    /// kept where it cannot be carried over.
    @Test(arguments: TemporaryDirectory.Place.allCases, Obstacle.allCases)
    func G5_aChangeThatCannotBePublishedTwiceIsMadeOnce(
        place: TemporaryDirectory.Place, obstacle: Obstacle
    ) throws {
        let folder = try TemporaryDirectory(on: place)
        var calls = 0
        let found = try change(folder, obstacle) { file in
            try file.update { value in
                value.a += 1
                calls += 1
            }
        }
        #expect(calls == 1)
        #expect(found.text == (obstacle == .none ? #"{"a":2,"zz":1}"# : #"{"a":2}"#) + "\n")
        #expect(found.kept == (obstacle == .none ? [:] : ["v.rejected": Self.foreign]))
    }

    @Test(arguments: Obstacle.allCases)
    func G12_whatSlippedInBeforeAWriteIsNotLost(obstacle: Obstacle) throws {
        let found = try change(TemporaryDirectory(), obstacle) { try $0.write(Lamp(a: 2)) }
        #expect(found.text == (obstacle == .none ? #"{"a":2,"zz":1}"# : #"{"a":2}"#) + "\n")
        #expect(found.kept == (obstacle == .none ? [:] : ["v.rejected": Self.foreign]))
    }

    /// A foreign writer that never pauses does not hold up the change for ever. Content that was carried over is not
    /// kept in addition.
    @Test(arguments: 2...4)
    func G12_ofWhatSlipsInAgainOnlyTheRestIsKept(times: Int) throws {
        let found = try change(TemporaryDirectory(), .none, times: times) { try $0.write(Lamp(a: 2)) }
        #expect(found.text == #"{"a":2,"zz":2}"# + "\n")
        #expect(found.kept == (times == 2 ? [:] : ["v.rejected": Self.foreign(3)]))
    }

    /// The value was published, and still stands; the displaced file has vanished: there is nothing to keep, and
    /// nothing failed.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func whatWasDisplacedAndIsGoneIsNoFailure(place: TemporaryDirectory.Place) throws {
        let folder = try TemporaryDirectory(on: place)
        let container = try GroupContainer(directory: folder.path("c"))
        try folder.write(Self.foreign, to: "c/v")
        let file = try GroupFile("v", in: container, initialValue: Lamp())
        let isPublished = Guarded(false)
        SystemCallTap.tapping { call, detail in
            if call == .renameat2, detail.hasSuffix("exchange") { isPublished.withLock { $0 = true } }
            guard call == .openat, detail.hasSuffix(".tmp"), isPublished.withLock({ exchange(&$0, with: false) }) else {
                return .none
            }
            do {
                let control = folder.path("c/.groupfile")
                for name in try FileManager.default.contentsOfDirectory(atPath: control) where name.hasSuffix(".tmp") {
                    try FileManager.default.removeItem(atPath: control + "/" + name)
                }
            } catch {
                Issue.record(error)
            }
            return .none
        } during: {
            #expect(throws: Never.self) { try file.write(Lamp(a: 2)) }
        }
        #expect(try folder.read("c/v") == #"{"a":2,"zz":1}"# + "\n")
    }
}
