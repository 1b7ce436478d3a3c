import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

/// Logs its number when it is notified.
private final class Numbered: PathWatchDelegate {
    private let number: Int
    private let log: Log<Int>

    init(_ number: Int, _ log: Log<Int>) {
        self.number = number
        self.log = log
    }

    func namesChanged(_ events: [InotifyEvent], in target: PathTarget?, isLeft: Bool) { log.append(number) }
    func everythingMayHaveChanged() {}
    func lookForChanges() -> Bool { false }
}

struct PathWatchTests {
    /// A path through directories and links, a change, and where the path leads afterwards.
    static let changes: [(script: String, path: String, change: String, leadsTo: String?)] = [
        ("mkdir -p a/b/c", "a/b/c", "rm -r a", nil),
        ("mkdir -p a/b/c", "a/b/c", "rm -r a; mkdir -p a/b/c", "a/b/c"),
        ("mkdir -p a/b/c", "a/b/c", "mv a/b a/x", nil),
        ("mkdir -p a/b/c n/c", "a/b/c", "mv a/b a/x; mv n a/b", "a/b/c"),
        ("mkdir -p a", "a/b/c", "mkdir -p a/b/c", "a/b/c"),
        ("true", "a/b/c", "mkdir -p x/c a; ln -s ../x a/b", "x/c"),
        ("mkdir -p one/c two/c; ln -s one link", "link/c", "ln -sfn two link", "two/c"),
        ("mkdir -p one/c; ln -s one link", "link/c", "rm link", nil),
        ("ln -s one link", "link/c", "mkdir -p one/c", "one/c"),
        (
            "mkdir -p d/v1/c d/v2/c; ln -s v1 d/data; ln -s d/data l", "l/c", "ln -s v2 d/new; mv -T d/new d/data",
            "d/v2/c"
        ),
        ("mkdir -p a/b/c", "a/b/../b/c", "mv a/b a/x; mkdir -p a/b/c", "a/b/c"),
        ("touch a", "a/b", "rm a; mkdir -p a/b", "a/b"),
        (#"mkdir -p one/c "$(printf 'x\377')/c"; ln -s "$(printf 'x\377')" l"#, "l/c", "ln -sfn one l", "one/c"),
    ]

    @Test(arguments: changes.indices, TemporaryDirectory.Place.allCases)
    func followsThePath(index: Int, place: TemporaryDirectory.Place) async throws {
        let (script, path, change, leadsTo) = Self.changes[index]
        let folder = try TemporaryDirectory(on: place)
        try await folder.shell(script)
        let recorder = Recorder()
        let watch = PathWatch(path: folder.path(path), leaf: nil, delegate: recorder)
        defer { watch.cancel() }
        try await folder.shell(change)
        let expected = try leadsTo.map { try Path.status(of: folder.path($0)).identity }
        #expect(
            await eventually(within: .beforeTheHeartbeat) { watch.target?.identity == expected },
            "\(change): \(String(describing: watch.target))")
        #expect(watch.health == (leadsTo == nil ? .waitingForDirectory : .live))
        if leadsTo != nil {
            try folder.write("1", to: path + "/value")
            #expect(await recorder.first("value") != nil)
        }
    }

    /// A directory's events go to the first watch alone, then to both, then to the second alone.
    @Test func whoComesLaterIsToldToo() async throws {
        let folder = try TemporaryDirectory()
        let (first, second) = (Recorder(), Recorder())
        func make(_ name: String) throws {
            try folder.write("1", to: name)
        }
        let watch = PathWatch(path: folder.path, leaf: nil, delegate: first)
        defer { watch.cancel() }
        try make("a")
        #expect(await first.first("a") != nil)
        let other = PathWatch(path: folder.path, leaf: nil, delegate: second)
        defer { other.cancel() }
        try make("b")
        #expect(await first.first("b") != nil)
        #expect(await second.first("b") != nil)
        watch.cancel()
        try make("c")
        #expect(await second.first("c") != nil)
        #expect(first.log.elements.allSatisfy { $0.name != "c" })
    }

    /// Watches are notified in the order in which they were made; a cancelled one is not notified.
    @Test func manyAreToldInTheirOrder() async throws {
        let folder = try TemporaryDirectory()
        let log = Log<Int>()
        var watches: [(number: Int, watch: PathWatch, delegate: Numbered)] = (0..<40).map { number in
            let delegate = Numbered(number, log)
            return (number, PathWatch(path: folder.path, leaf: nil, delegate: delegate), delegate)
        }
        defer { for entry in watches { entry.watch.cancel() } }
        for number in [0, 39, 17, 5] {
            watches.removeAll { entry in
                if entry.number == number { entry.watch.cancel() }
                return entry.number == number
            }
        }
        try folder.write("1", to: "v")
        #expect(await log.first { $0 == 38 } != nil)
        let told = log.elements
        #expect(told.prefix(36) == watches.map(\.number)[...], "\(told)")
    }

    @Test func namesBesideTheWayWakeNobody() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir -p a/b")
        let recorder = Recorder()
        let watch = PathWatch(path: folder.path("a/b"), leaf: nil, delegate: recorder)
        defer { watch.cancel() }
        try await folder.shell("for i in 1 2 3; do echo > a/$i; mkdir d$i; done; echo > a/b/last")
        #expect(await recorder.first("last") != nil)
        #expect(recorder.log.elements.allSatisfy { $0.name == "last" })
    }

    @Test func aLeafIsFollowedThroughItsLinks() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir -p one two; echo 1 > one/v; echo 2 > two/v; ln -s one/v link")
        let recorder = Recorder()
        let watch = PathWatch(path: folder.path, leaf: "link", delegate: recorder)
        defer { watch.cancel() }
        #expect(watch.target?.leaf == "v")
        try await folder.shell("echo 3 > one/v")
        #expect(await recorder.first("v") != nil)
        try await folder.shell("ln -sfn two/v link")
        let two = try Path.status(of: folder.path("two")).identity
        #expect(await eventually(within: .beforeTheHeartbeat) { watch.target?.identity == two })
    }

    /// Swift takes the two names for equal; in the file system they are two files.
    @Test func aLinkThatComesToLeadToAnotherSpellingLeadsToAnotherTarget() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("echo 1 > caf\u{E9}; echo 2 > cafe\u{301}; ln -s caf\u{E9} link")
        let watch = PathWatch(path: folder.path, leaf: "link", delegate: Recorder())
        defer { watch.cancel() }
        let before = watch.target
        #expect(before == watch.target)
        try await folder.shell("ln -sfn cafe\u{301} link")
        #expect(await eventually(within: .beforeTheHeartbeat) { watch.target != before })
        #expect(watch.target?.leaf.map { Array($0.utf8) } == Array("cafe\u{301}".utf8))
    }

    @Test func pollsAndSaysWhyWhereTheKernelCannotTell() async throws {
        let folder = try TemporaryDirectory()
        let recorder = Recorder()
        let watch = PathWatch(path: folder.path("a"), leaf: nil, usesNotifications: false, delegate: recorder)
        defer { watch.cancel() }
        guard case .polling(let reason) = watch.health else {
            Issue.record("\(watch.health)")
            return
        }
        #expect(reason.contains("inotify"))
        try await folder.shell("mkdir a")
        #expect(await recorder.log.first { $0 == .everything } != nil)
        #expect(watch.target != nil)
    }

    /// Looks that find nothing come after 250 ms, then after pauses that grow by half each time. Never sooner, however
    /// busy the machine is.
    @Test func pollingSlowsDownWhileNothingHappens() async throws {
        let folder = try TemporaryDirectory()
        let looks = Looks()
        let begun = ContinuousClock.now
        let watch = PathWatch(path: folder.path, leaf: nil, usesNotifications: false, delegate: looks)
        defer { watch.cancel() }
        let moments = try #require(await looks.log.wait { $0.count >= 4 ? $0 : nil })
        // 250, 375, 562.5 and 843.75 milliseconds.
        for (moment, milliseconds) in zip(moments, [250, 625, 1187, 2031]) {
            #expect(moment - begun >= .milliseconds(milliseconds))
        }
    }

    private final class Unmounts: PathWatchDelegate {
        let log = Log<PathTarget?>()

        func namesChanged(_ events: [InotifyEvent], in target: PathTarget?, isLeft: Bool) {}
        func everythingMayHaveChanged() {}
        func lookForChanges() -> Bool { false }
        func fileSystemWasUnmounted(with target: PathTarget?) { log.append(target) }
    }

    /// The table of mounts changes before the directories of an unmounted file system report it. The look that comes in
    /// any case, and reports no unmount, may be first: one successful attempt out of ten is enough.
    @Test func whatIsLeftWhenMountsChangeWasUnmounted() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir a b; ln -s a link; ln -s b next")
        let unmounts = Unmounts()
        let watch = PathWatch(path: folder.path("link"), leaf: nil, usesNotifications: false, delegate: unmounts)
        defer { watch.cancel() }
        watch.mountsChanged()
        #expect(unmounts.log.elements == [])
        let directory = try Directory(path: folder.path)
        for _ in 0..<10 where unmounts.log.elements.isEmpty {
            let left = watch.target
            try directory.rename("next", to: "link", in: directory, .exchange)
            watch.mountsChanged()
            // This happens at once, unless a look in progress delays it.
            #expect(await eventually { watch.target != left })
            #expect(unmounts.log.elements.allSatisfy { $0 == left })
        }
        #expect(unmounts.log.elements.count == 1)
    }

    /// G14: however long nothing has happened. Other tests use the processor, too, so one pause out of three is enough.
    @Test func G14_pollingNeverPausesForMoreThanTwoSeconds() async throws {
        let folder = try TemporaryDirectory()
        let looks = Looks()
        let watch = PathWatch(path: folder.path, leaf: nil, usesNotifications: false, delegate: looks)
        defer { watch.cancel() }
        // Without a limit, the seventh pause would be the first of more than two seconds.
        let moments = try #require(await looks.log.wait { $0.count >= 9 ? $0.suffix(4) : nil })
        let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }
        #expect(try #require(pauses.min()) < .milliseconds(2500), "\(pauses)")
    }

    /// Each event that causes a new walk of the path would otherwise put the look off.
    @Test func aBusyWayDoesNotPutOffTheLook() async throws {
        let folder = try TemporaryDirectory()
        let looks = Looks()
        let watch = PathWatch(path: folder.path, leaf: "f", usesNotifications: false, delegate: looks)
        defer { watch.cancel() }
        #expect(
            await eventually(within: .beforeTheHeartbeat) {
                _ = watch.resolveIfChanged()
                return !looks.log.elements.isEmpty
            })
    }

    /// The look comes after more than 25 seconds and at most 30, and paths that begin within the same five seconds are
    /// looked at together.
    @Test func pathsThatNothingHappensToAreLookedAtTogether() {
        let second: Int64 = 1_000_000_000
        for now in stride(from: 0, through: 20 * second, by: 100_000_000) {
            let moment = LookSchedule.heartbeat(after: Moment(nanoseconds: now))
            #expect(moment.nanoseconds - now > 25 * second && moment.nanoseconds - now <= 30 * second)
            #expect(moment.nanoseconds % (5 * second) == 0)
        }
    }

    @Test func aFullWatchTableIsPolledAndLeft() async throws {
        let folder = try TemporaryDirectory()
        let watch = SystemCallTap.failing(.inotify_add_watch, with: .noSpace) {
            PathWatch(path: folder.path, leaf: nil, delegate: Recorder())
        }
        defer { watch.cancel() }
        guard case .polling(let reason) = watch.health else {
            Issue.record("\(watch.health)")
            return
        }
        #expect(reason.contains("max_user_watches"))
        // Each look also tries to watch again.
        #expect(await eventually(within: .beforeTheHeartbeat) { watch.health == .live })
    }
}
