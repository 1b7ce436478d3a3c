import SystemCalls
import TestSupport
import Testing

@testable import FileEvents

struct WatchHubTests {
    private final class Client: WatchClient {
        func process(_ events: [InotifyEvent], lostEvents: Bool) {}
    }

    private static func wanting(_ mask: InotifyMask) -> WatchInterest {
        WatchInterest(mask: mask, hasAllNames: true)
    }

    private struct Told: Equatable {
        var client: ObjectIdentifier
        var watches: [Int32]
        var lostEvents = false

        init(_ client: any WatchClient, _ watches: [Int32], lostEvents: Bool = false) {
            self.client = ObjectIdentifier(client)
            self.watches = watches
            self.lostEvents = lostEvents
        }
    }

    /// A state in which these clients want these watches.
    private static func state(_ clients: KeyValuePairs<Int32, Client>) -> WatchHub.State {
        var state = WatchHub.State()
        for (watch, client) in clients {
            state.nodes[watch, default: WatchNode(path: "/")].add(wanting(.modify), for: client)
        }
        return state
    }

    /// Which clients are handed which watches' events, and how many barriers were passed.
    private static func route(
        _ events: [(watch: Int32, mask: InotifyMask)], _ state: inout WatchHub.State
    ) -> (told: [Told], passed: Int) {
        let events = events.map { InotifyEvent(watch: $0.watch, mask: $0.mask, name: "v") }
        let watches = events.map(\.watch)
        return switch state.deliveries(of: events) {
        case .all(let client): ([Told(client, watches)], 0)
        case .allToEach(let clients): (clients.map { Told($0, watches) }, 0)
        case .each(let batches, let lostEvents, let passed):
            (batches.all.map { Told($0.client, $0.events.map(\.watch), lostEvents: lostEvents) }, passed.count)
        }
    }

    @Test func eachIsToldOfItsOwnWatches() {
        let (a, b, c) = (Client(), Client(), Client())
        var state = Self.state([1: a, 1: b, 2: b, 3: c])
        #expect(Self.route([(1, .modify), (1, .modify)], &state).told == [Told(a, [1, 1]), Told(b, [1, 1])])
        #expect(
            Self.route([(2, .modify), (1, .modify), (4, .modify), (2, .modify)], &state).told
                == [Told(b, [2, 1, 2]), Told(a, [1])])
        #expect(Self.route([(4, .modify)], &state).told == [])
    }

    /// The result of the last lookup for this watch is no longer valid.
    @Test func whoComesToAWatchOfOneAloneIsTold() {
        let (a, b) = (Client(), Client())
        var state = Self.state([1: a])
        for _ in 0..<2 { #expect(Self.route([(1, .modify)], &state).told == [Told(a, [1])]) }
        state.nodes[1]?.add(Self.wanting(.modify), for: b)
        #expect(Self.route([(1, .modify)], &state).told == [Told(a, [1]), Told(b, [1])])
        state.nodes[1]?.change(nil, of: ObjectIdentifier(a))
        #expect(Self.route([(1, .modify)], &state).told == [Told(b, [1])])
        state.nodes[1] = nil
        #expect(Self.route([(1, .modify)], &state).told == [])
    }

    /// And of what happens to the directory itself. One directory may have thousands of clients.
    @Test func eachIsToldOfItsOwnNames() {
        let (a, b, all, none) = (Client(), Client(), Client(), Client())
        var node = WatchNode(path: "/")
        node.add(WatchInterest(mask: .modify, names: [ExactName("a")]), for: a)
        node.add(WatchInterest(mask: .modify, names: [ExactName("b"), ExactName("\u{E9}")]), for: b)
        node.add(Self.wanting(.modify), for: all)
        node.add(WatchInterest(mask: .modify), for: none)
        var state = WatchHub.State()
        state.nodes[1] = node
        func told(_ names: String?...) -> [Told] {
            let events = names.map { InotifyEvent(watch: 1, mask: .modify, name: $0) }
            return switch state.deliveries(of: events) {
            case .all(let client): [Told(client, names.map { _ in 1 })]
            case .allToEach(let clients): clients.map { Told($0, names.map { _ in 1 }) }
            case .each(let batches, _, _): batches.all.map { Told($0.client, $0.events.map(\.watch)) }
            }
        }
        #expect(told("a", "a") == [Told(a, [1, 1]), Told(all, [1, 1])])
        #expect(told("b", "a", "c") == [Told(b, [1]), Told(all, [1, 1, 1]), Told(a, [1])])
        #expect(told("c") == [Told(all, [1])])
        #expect(told("e\u{301}") == [Told(all, [1])])
        #expect(told(nil) == [Told(a, [1]), Told(b, [1]), Told(all, [1]), Told(none, [1])])
        // From then on, a client that wants another name, or nothing more, is notified accordingly.
        state.nodes[1]?.change(WatchInterest(mask: .modify, names: [ExactName("c")]), of: ObjectIdentifier(all))
        state.nodes[1]?.add(WatchInterest(mask: .modify, names: [ExactName("c")]), for: a)
        #expect(told("c") == [Told(a, [1]), Told(all, [1])])
        state.nodes[1]?.change(nil, of: ObjectIdentifier(a))
        #expect(told("c") == [Told(all, [1])])
        #expect(told("a") == [])
    }

    /// Each observer is handed the events of its own file, and none of the hundred others.
    @Test(arguments: TemporaryDirectory.Place.allCases)
    func filesBesideTheObservedOneWakeNobody(place: TemporaryDirectory.Place) async throws {
        let folder = try TemporaryDirectory(on: place)
        let recorders = (0..<100).map { (name: "f\($0)", recorder: Recorder()) }
        let watches = recorders.map {
            PathWatch(path: folder.path, leaf: $0.name, namesBesideLeaf: [], delegate: $0.recorder)
        }
        defer { for watch in watches { watch.cancel() } }
        for entry in recorders { try folder.write("1", to: entry.name) }
        for entry in recorders { #expect(await entry.recorder.first(entry.name) != nil) }
        await EventBarrier.passed()
        for entry in recorders {
            #expect(entry.recorder.log.elements.allSatisfy { $0.name == entry.name }, "\(entry.recorder.log.elements)")
        }
    }

    /// The watch reports a name that matters besides the file's own. The path does not depend on that name, and is not
    /// walked for it.
    @Test func aNameBesideTheFileIsTold() async throws {
        let folder = try TemporaryDirectory()
        let recorder = Recorder()
        let watch = PathWatch(
            path: folder.path, leaf: "file", namesBesideLeaf: [ExactName("beside")], delegate: recorder)
        // A directory's only client is handed all events, which costs nobody anything.
        let other = PathWatch(path: folder.path, leaf: "another", namesBesideLeaf: [], delegate: Recorder())
        defer { for watch in [watch, other] { watch.cancel() } }
        let number = watch.targetNumber
        for name in ["other", "beside"] {
            try folder.write("1", to: name)
            try Directory(path: folder.path).unlink(name)
        }
        #expect(await recorder.first("beside", .delete) != nil)
        #expect(watch.targetNumber == number)
        try folder.write("1", to: "file")
        #expect(await recorder.first("file") != nil)
        await EventBarrier.passed()
        #expect(!recorder.log.elements.contains { $0.name == "other" })
    }

    @Test func aWatchThatTheKernelRemovedTellsSoAndIsGone() {
        let (a, b) = (Client(), Client())
        var state = Self.state([1: a, 2: b])
        #expect(Self.route([(1, .modify), (1, .ignored)], &state).told == [Told(a, [1, 1])])
        #expect(Array(state.nodes.keys) == [2])
    }

    /// G4: including clients whose watches report nothing more, and each of them once.
    @Test func lostEventsAreToldToEverybody() {
        let (a, b) = (Client(), Client())
        var state = Self.state([1: a, 2: a, 3: b])
        state.barriers = [4: {}, 5: {}]
        let (told, passed) = Self.route([(3, .modify), (-1, .overflow)], &state)
        #expect(told == [Told(b, [3], lostEvents: true), Told(a, [], lostEvents: true)])
        #expect(passed == 2)
        #expect(state.barriers.isEmpty)
    }

    @Test func aBarrierIsPassedOnce() {
        let a = Client()
        var state = Self.state([1: a])
        state.barriers = [4: {}, 5: {}]
        let (told, passed) = Self.route([(1, .modify), (4, .ignored)], &state)
        #expect(told == [Told(a, [1])])
        #expect(passed == 1)
        #expect(Array(state.barriers.keys) == [5])
    }

    /// Each report of lost events would make everybody walk the path again, and each client that walks it leaves in
    /// turn.
    @Test func whoLeavesAMovedDirectoryDisturbsThoseInItsPlaceOnce() async throws {
        final class Disturbed: WatchClient {
            let log = Log<Bool>()
            func process(_ events: [InotifyEvent], lostEvents: Bool) { log.append(lostEvents) }
        }
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir d")
        let path = folder.path + "/d"
        // Each time one of them leaves, the kernel has to be asked for fewer events.
        let masks: [InotifyMask] = [.create, .modify, .attributes, .closeWrite]
        let before = try masks.map { mask in
            let client = Client()
            return (client: client, watch: try WatchHub.shared.add(path, Self.wanting(mask), for: client).watch)
        }
        defer { for (client, watch) in before { WatchHub.shared.keep([:], among: [watch], for: client) } }
        try await folder.shell("mv d moved; mkdir d")
        let inItsPlace = Disturbed()
        let watch = try WatchHub.shared.add(path, Self.wanting(.movedTo), for: inItsPlace).watch
        defer { WatchHub.shared.keep([:], among: [watch], for: inItsPlace) }
        for (client, watch) in before { WatchHub.shared.keep([:], among: [watch], for: client) }
        // The watch still reports what happens.
        try await folder.shell("touch new; mv new d/v")
        #expect(await inItsPlace.log.first { !$0 } == false)
        #expect(await inItsPlace.log.first { $0 } == true)
        #expect(inItsPlace.log.elements.count == 2)
    }

    /// A mask that was set on another directory instead of the intended one is withdrawn when that directory's own
    /// clients leave.
    @Test func whatADirectoryGotForAnotherOneIsTakenBack() async throws {
        let folder = try TemporaryDirectory()
        try await folder.shell("mkdir d")
        let path = folder.path("d")
        let clients = [Client(), Client(), Client(), Client()]
        let moved = try WatchHub.shared.add(path, Self.wanting(.closeWrite), for: clients[0]).watch
        _ = try WatchHub.shared.add(path, Self.wanting(.modify), for: clients[1])
        try await folder.shell("mv d moved; mkdir d")
        let watch = try WatchHub.shared.add(path, Self.wanting(.movedTo), for: clients[2]).watch
        _ = try WatchHub.shared.add(path, Self.wanting(.movedTo), for: clients[3])
        WatchHub.shared.keep([:], among: [moved], for: clients[1])
        #expect(try KernelWatch.events(of: path)?.contains(.movedTo) == true)
        WatchHub.shared.keep([:], among: [watch], for: clients[3])
        #expect(try KernelWatch.events(of: path)?.isDisjoint(with: [.closeWrite, .modify]) == true)
        WatchHub.shared.keep([:], among: [moved], for: clients[0])
        WatchHub.shared.keep([:], among: [watch], for: clients[2])
        #expect(try KernelWatch.events(of: path) == nil)
    }

    /// G4: a barrier is passed only after the clients that lost events have been told so.
    @Test func whoeverWaitsForEventsIsNotAheadOfThoseWhoLostThem() async throws {
        final class Slow: WatchClient {
            let log: Log<String>
            let meanwhile: @Sendable () -> Void
            init(_ log: Log<String>, _ meanwhile: @escaping @Sendable () -> Void) {
                self.log = log
                self.meanwhile = meanwhile
            }
            func process(_ events: [InotifyEvent], lostEvents: Bool) {
                guard lostEvents else { return }
                meanwhile()
                // Gives the wrong order time to show.
                Thread.sleep(for: .milliseconds(50))
                log.append("told")
            }
        }
        let folder = try TemporaryDirectory()
        let hub = WatchHub()
        let log = Log<String>()
        let slow = Slow(log) { hub.addBarrier { log.append("later") } }
        let watch = try hub.add(folder.path, Self.wanting(.modify), for: slow).watch
        let running = hub.state.withLock { $0.source }
        let source = try #require(running)
        hub.state.withLock { $0.barriers[-2] = { log.append("before") } }
        hub.fail(source)
        #expect(await log.first { $0 == "later" } != nil)
        #expect(await log.first { $0 == "before" } != nil)
        #expect(log.elements.first == "told", "\(log.elements)")
        hub.keep([:], among: [watch], for: slow)
    }
}
