import Testing

@testable import GroupFiles

struct DirectoryWaysTests {
    private static func ways(_ paths: String...) -> DirectoryWays {
        var ways = DirectoryWays()
        for path in paths { ways.add(path) }
        return ways
    }

    @Test func theOneThatWasFoundLastIsTheLastOne() {
        #expect(Self.ways("/a", "/b", "/a").all == ["/b", "/a"])
        #expect(Self.ways("/a", "/b", "/b").all == ["/a", "/b"])
        #expect(Self.ways("/a", "/b", "/a").last == "/a")
        #expect(Self.ways().last == nil)
    }

    /// Fleeting paths lead through a link that only the kernel can follow, and may end without an event.
    @Test func fleetingOnesComeBeforeAllOthers() {
        #expect(Self.ways("/a", "/proc/9/root/./a").all == ["/proc/9/root/./a", "/a"])
        #expect(Self.ways("/proc/9/root/./a", "/a", "/proc/9/root/./a").last == "/a")
    }

    @Test func oneIsThereForAsLongAsAStoreFollowsIt() {
        var ways = Self.ways("/a", "/b", "/a", "/b", "/b")
        let left = ["/a", "/b", "/b", "/a"].map { (ways.remove($0), ways.all) }
        #expect(left.map(\.0) == [true, true, true, true])
        #expect(left.map(\.1) == [["/a", "/b"], ["/a", "/b"], ["/a", "/b"], ["/b"]])
        let (isFollowed, isUnknown) = (ways.remove("/b"), ways.remove("/b"))
        #expect(isFollowed && !isUnknown && ways.all.isEmpty)
    }
}
