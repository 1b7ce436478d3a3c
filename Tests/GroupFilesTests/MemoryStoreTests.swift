import TestSupport
import Testing

@testable import GroupFiles

/// Values in memory.
struct MemoryStoreTests {
    private struct Weak: Sendable {
        weak let core: FileCore?
    }

    /// A value in memory outlives its users, as a file does; a missing one does not: a program may look for a new name
    /// with every message.
    @Test func onlyAValueOutlivesItsUsers() async throws {
        let container = GroupContainer.inMemory()
        func core(_ name: String, removing: Bool) throws -> Weak {
            let file = try GroupFile(name, in: container, initialValue: 1)
            try file.write(2)
            if removing { try file.remove() }
            return Weak(core: file.attachedCore)
        }
        let (gone, kept) = (try core("gone", removing: true), try core("kept", removing: false))
        #expect(await eventually { gone.core == nil })
        #expect(try kept.core != nil && container.currentNames() == ["kept"])
        #expect(try GroupFile("kept", in: container, initialValue: 1).value == 2)
        #expect(try GroupFile("gone", in: container, initialValue: 3).value == 3)
    }
}
