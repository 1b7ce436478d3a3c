import Testing

@testable import GroupFiles

/// A store that is opened late.
struct DeferredStoreTests {
    private static let noPlace = GroupFileError(.noContainers, "there is no place for containers")

    private static func file(_ store: any ContentStore) -> GroupFile<Int> {
        GroupFile(
            "v", store: store, initialValue: 0, codec: .json,
            options: GroupFileOptions(durability: .relaxed, maximumSize: 100))
    }

    @Test func theLastReasonForWhichItCannotBeOpenedIsTold() {
        let notAllowed = GroupFileError(.permissionDenied, "the place is closed")
        let store = DeferredStore(Self.noPlace) { () throws(GroupFileError) in throw notAllowed }
        #expect(Self.file(store).status == .invalid(Self.noPlace))
        store.tryToOpen()
        #expect(Self.file(store).status == .invalid(notAllowed))
    }

    /// Whether the file existed before the store was opened, or came later.
    @Test(arguments: [true, false]) func whoIsGoneLeavesTheStoreThatWasOpened(wasEarlier: Bool) throws {
        let inner = StoreOverMemory()
        let store = DeferredStore(Self.noPlace) { () throws(GroupFileError) in inner }
        var file: GroupFile<Int>?
        if wasEarlier { file = Self.file(store) }
        store.tryToOpen()
        if !wasEarlier { file = Self.file(store) }
        try file?.write(1)
        #expect(inner.count == 1)
        file = nil
        #expect(inner.count == 0)
    }
}
