import Foundation
import GroupFiles
import Observation
import SystemCalls
import TestSupport
import Testing

/// A tracked read fires for changes of what was read: the value, its status, its health.
@Suite struct TrackedStateTests {
    private func fires(_ read: () -> Void, when change: () throws -> Void) async throws -> Bool {
        let fired = Gate()
        withObservationTracking(read) { fired.open() }
        try change()
        return await fired.opened()
    }

    @Test func statusAndHealthAreTracked() async throws {
        let folder = try TemporaryDirectory()
        let container = try GroupContainer(directory: folder.path("c"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        #expect(try await fires({ _ = file.status }, when: { try folder.write("no number", to: "c/v") }))
        #expect(await eventually { if case .invalid = file.status { true } else { false } })
        #expect(
            try await fires(
                { _ = file.status }, when: { try FileManager.default.removeItem(atPath: folder.path("c/v")) }))
        #expect(
            try await fires(
                { _ = file.health }, when: { try FileManager.default.removeItem(atPath: folder.path("c")) }))
        #expect(await eventually { file.health == .waitingForDirectory })
    }

    /// The error says what stands in the container's place, and not that somebody removes the container.
    @Test func aFileInTheContainersPlaceIsNamed() throws {
        let folder = try TemporaryDirectory()
        try folder.write("", to: "c")
        let lucky = GroupValue(
            wrappedValue: 0, "v", in: try GroupContainer(directory: folder.path("c"), access: .readOnly))
        #expect(lucky.wrappedValue == 0)
        for place in ["c", "c/below"] {
            do throws(GroupFileError) {
                _ = try GroupContainer(directory: folder.path(place))
                Issue.record("made \(place)")
            } catch {
                #expect(error.errno == Errno.notDirectory.rawValue)
            }
        }
        try Directory(path: folder.path).makeDirectory("d", permissions: 0o700)
        let container = try GroupContainer(directory: folder.path("d"))
        let file = try GroupFile("v", in: container, initialValue: 0)
        try FileManager.default.removeItem(atPath: folder.path("d"))
        try folder.write("", to: "d")
        do throws(GroupFileError) {
            try file.write(1)
            Issue.record("written")
        } catch {
            #expect(error.errno == Errno.notDirectory.rawValue, "\(error)")
        }
    }
}
