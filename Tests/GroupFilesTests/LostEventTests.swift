import Glibc
import GroupFiles
import TestSupport
import Testing

/// Events that the kernel does not report. While it replaces a directory's mask, the mask is empty for a moment.
struct LostEventTests {
    /// Once no value is missing any more, the library replaces the mask, to have new names no longer reported. A change
    /// through a hard link elsewhere stands for a change in that moment: the kernel reports no event for it, either.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func G4_whatTheKernelSwallowsWhileItReplacesAMaskIsFoundSoon(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        try folder.write("1\n", to: "elsewhere")
        let container = try GroupContainer(directory: folder.path("c"))
        #expect(unsafe link(folder.path("elsewhere"), folder.path("c/v")) == 0)
        let (told, missing) = (Log<Int>(), Log<Int>())
        let subscriptions = [
            try GroupFile("v", in: container, initialValue: 0, access: .readOnly).sink { told.append($0) },
            try GroupFile("w", in: container, initialValue: 0, access: .readOnly).sink { missing.append($0) },
        ]
        defer { for subscription in subscriptions { subscription.cancel() } }
        #expect(await told.first { $0 == 1 } != nil)
        #expect(await missing.first { $0 == 0 } != nil)
        try folder.write("2\n", to: "elsewhere")
        try folder.replace("c/w", with: "3\n")
        #expect(await missing.first { $0 == 3 } != nil)
        #expect(await told.first(within: .beforeTheHeartbeat) { $0 == 2 } != nil)
    }
}
