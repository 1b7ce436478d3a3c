import Glibc
import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

/// Which directories a walk along a path watches, and for which events.
struct PathResolutionTests {
    /// Walks `path`; `added` is called for each directory before it is watched.
    private func masks(
        _ path: String, leaf: String, added: @escaping (String, InotifyMask) -> Void = { _, _ in }
    ) -> (masks: [String: InotifyMask], target: PathTarget?, targetWatch: Int32?) {
        var masks: [String: InotifyMask] = [:]
        var numbers: [String: Int32] = [:]
        let followed = FollowedPath(
            path: path, leaf: leaf, watchesNewNames: false, namesBesideLeaf: [], usesNotifications: true)
        let resolution = PathResolution(followed) { directory, wanted in
            added(directory, wanted.mask)
            masks[directory, default: []].formUnion(wanted.mask)
            numbers[directory] = numbers[directory] ?? Int32(numbers.count + 1)
            return numbers[directory] ?? -1
        }
        return (masks, resolution.target, resolution.targetWatch)
    }

    /// Extending a mask, and reducing it again once the link is followed, would cost events each time.
    @Test func whatIsWrittenBesideALinkIsNeverAskedFor() throws {
        let folder = try TemporaryDirectory()
        for name in ["links", "files"] { #expect(unsafe mkdir(folder.path(name), 0o700) == 0) }
        try folder.write("1", to: "files/v")
        #expect(unsafe symlink("../files/v", folder.path("links/v")) == 0)
        let found = masks(folder.path("links"), leaf: "v")
        #expect(found.target?.path == folder.path("files") || found.target?.path == folder.path("links/../files"))
        #expect(found.masks[folder.path("links")]?.contains([.movedTo, .moveSelf, .deleteSelf]) == true)
        #expect(found.masks[folder.path("links")]?.contains(.modify) == false)
        #expect(found.masks.values.contains { $0.contains(.modify) } && found.targetWatch != nil)
    }

    /// The link has become a file by the time that its directory is watched. Then writes in that directory are asked
    /// for after all.
    @Test func aLinkThatHasBecomeAFileMeanwhileIsOne() throws {
        let folder = try TemporaryDirectory()
        #expect(unsafe mkdir(folder.path("links"), 0o700) == 0)
        #expect(unsafe symlink("nowhere", folder.path("links/v")) == 0)
        let links = folder.path("links")
        var isReplaced = false
        let found = masks(links, leaf: "v") { directory, mask in
            guard directory == links, mask.contains(.movedTo), !isReplaced else { return }
            isReplaced = true
            do { try folder.replace("links/v", with: "1") } catch { Issue.record(error) }
        }
        #expect(isReplaced && found.target?.path == links && found.targetWatch != nil)
        #expect(found.masks[links]?.contains(.modify) == true)
    }
}
