import SystemCalls
import Testing

@testable import FileEvents

struct WatchHubTests {
    private final class Client: WatchClient {
        func process(_ events: [InotifyEvent], lostEvents: Bool) {}
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

    /// Who wants each watch.
    private static func state(_ clients: KeyValuePairs<Int32, Client>) -> WatchHubState {
        var state = WatchHubState()
        for (watch, client) in clients { state.nodes[watch, default: WatchNode(path: "/")].add(.modify, for: client) }
        return state
    }

    /// Who is told of which watches' events, and how many marks were passed.
    private static func route(
        _ events: [(watch: Int32, mask: InotifyMask)], _ state: inout WatchHubState
    ) -> (told: [Told], marks: Int) {
        let events = events.map { InotifyEvent(watch: $0.watch, mask: $0.mask, name: "v") }
        let watches = events.map(\.watch)
        return switch state.deliveries(of: events) {
        case .all(let client): ([Told(client, watches)], 0)
        case .allToEach(let clients): (clients.map { Told($0, watches) }, 0)
        case .each(let batches, let lostEvents, let marked):
            (batches.all.map { Told($0.client, $0.events.map(\.watch), lostEvents: lostEvents) }, marked.count)
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

    /// What was found for the watch last holds no longer.
    @Test func whoComesToAWatchOfOneAloneIsTold() {
        let (a, b) = (Client(), Client())
        var state = Self.state([1: a])
        for _ in 0..<2 { #expect(Self.route([(1, .modify)], &state).told == [Told(a, [1])]) }
        state.nodes[1]?.add(.modify, for: b)
        #expect(Self.route([(1, .modify)], &state).told == [Told(a, [1]), Told(b, [1])])
        state.nodes[1]?.change(nil, of: ObjectIdentifier(a))
        #expect(Self.route([(1, .modify)], &state).told == [Told(b, [1])])
        state.nodes[1] = nil
        #expect(Self.route([(1, .modify)], &state).told == [])
    }

    @Test func aWatchThatTheKernelRemovedTellsSoAndIsGone() {
        let (a, b) = (Client(), Client())
        var state = Self.state([1: a, 2: b])
        #expect(Self.route([(1, .modify), (1, .ignored)], &state).told == [Told(a, [1, 1])])
        #expect(Array(state.nodes.keys) == [2])
    }

    /// G4: also those of whose watches nothing is told any more, each of them once.
    @Test func lostEventsAreToldToEverybody() {
        let (a, b) = (Client(), Client())
        var state = Self.state([1: a, 2: a, 3: b])
        state.marks = [4: {}, 5: {}]
        let (told, marks) = Self.route([(3, .modify), (-1, .overflow)], &state)
        #expect(told == [Told(b, [3], lostEvents: true), Told(a, [], lostEvents: true)])
        #expect(marks == 2)
        #expect(state.marks.isEmpty)
    }

    @Test func aMarkIsPassedOnce() {
        let a = Client()
        var state = Self.state([1: a])
        state.marks = [4: {}, 5: {}]
        let (told, marks) = Self.route([(1, .modify), (4, .ignored)], &state)
        #expect(told == [Told(a, [1])])
        #expect(marks == 1)
        #expect(Array(state.marks.keys) == [5])
    }

    // MARK: Calls that are under way

    private static func add(
        _ mask: InotifyMask, for client: Client, to watch: Int32, _ call: WatchHubState.Call,
        _ state: inout WatchHubState
    ) -> Bool? {
        state.add(mask, for: client, to: watch, at: "/d", call)
    }

    /// G4: nobody was told that the directory moved away after the kernel had found it, and before that was noted.
    @Test(
        arguments: [
            (1, .moveSelf, nil), (1, .ignored, nil), (1, .attributes, nil), (-1, .overflow, nil), (1, .modify, true),
            (2, .moveSelf, true),
        ] as [(Int32, InotifyMask, Bool?)])
    func whatWasToldMeanwhile(watch: Int32, mask: InotifyMask, answer: Bool?) throws {
        let client = Client()
        var state = WatchHubState()
        let source = try InotifySource(hub: .shared)
        let name = mask == .modify ? "v" : nil
        let call = state.begin(with: source)
        _ = state.deliveries(of: [InotifyEvent(watch: watch, mask: mask, name: name)])
        #expect(Self.add(.modify, for: client, to: 1, call, &state) == answer)
        #expect((state.nodes[1] != nil) == (answer != nil))
        // Asked again it is what it is now.
        #expect(Self.add(.modify, for: client, to: 1, state.begin(with: source), &state) == (answer == nil))
    }

    @Test func anAnswerOfAnEndedSourceIsOutdated() throws {
        var state = WatchHubState()
        let call = state.begin(with: try InotifySource(hub: .shared))
        let marked = state.endIfUnused()
        #expect(marked.isEmpty)
        #expect(state.source == nil)
        let again = state.begin(with: try InotifySource(hub: .shared))
        #expect(Self.add(.modify, for: Client(), to: 1, call, &state) == nil)
        var read = [state.beginReading()]
        #expect(Self.add(.modify, for: Client(), to: 1, again, &state) == true)
        read += [state.beginReading(), state.beginReading()]
        #expect(read.map { $0 === again.source } == [false, true, false])
    }

    /// G4: another one is about to be told that its directory is watched, when the kernel is made to forget that.
    @Test func aWatchThatWasRemovedMeanwhileIsAskedForAgain() throws {
        let (a, b) = (Client(), Client())
        var state = WatchHubState()
        let source = try InotifySource(hub: .shared)
        _ = Self.add(.modify, for: a, to: 1, state.begin(with: source), &state)
        let call = state.begin(with: source)
        var isForgotten = [state.forgetIfUnused(1, of: source)]
        _ = state.change(nil, of: ObjectIdentifier(a), at: 1)
        isForgotten.append(state.forgetIfUnused(1, of: source))
        #expect(isForgotten == [false, true])
        #expect(Self.add(.modify, for: b, to: 1, call, &state) == nil)
    }

    /// G4: to want less and to want more are asked of the kernel in any order.
    @Test(arguments: [false, true])
    func whoComesWhileTheKernelIsAskedForLessIsNotForgotten(comesBefore: Bool) throws {
        let (a, b) = (Client(), Client())
        var state = WatchHubState()
        let source = try InotifySource(hub: .shared)
        _ = Self.add([.modify, .create], for: a, to: 1, state.begin(with: source), &state)
        _ = state.change(.modify, of: ObjectIdentifier(a), at: 1)
        let wanted = state.narrowing(of: 1)
        let narrowing = try #require(wanted)
        #expect(narrowing.mask == .modify)
        let second = state.narrowing(of: 1)
        #expect(second?.mask == nil)
        let call = state.begin(with: source)
        if comesBefore {
            #expect(Self.add(.create, for: b, to: 1, call, &state) == true)
            let disturbed = state.end(narrowing, 1)
            #expect(disturbed.map { ObjectIdentifier($0) } == [a, b].map { ObjectIdentifier($0) })
            // Or before they come to it.
            let again = state.narrowing(of: 1)
            #expect(again?.mask == [.modify, .create])
        } else {
            let disturbed = state.end(narrowing, 1)
            #expect(disturbed.isEmpty)
            let again = state.narrowing(of: 1)
            #expect(again?.mask == nil)
            #expect(Self.add(.create, for: b, to: 1, call, &state) == nil)
        }
    }

    /// The directory was exchanged for another one that is watched, too.
    @Test func whoLosesBySomebodyElsesWishIsTold() throws {
        let (a, b) = (Client(), Client())
        var state = WatchHubState()
        let source = try InotifySource(hub: .shared)
        _ = Self.add([.modify, .create], for: a, to: 1, state.begin(with: source), &state)
        _ = Self.add(.create, for: b, to: 2, state.begin(with: source), &state)
        _ = state.change(.modify, of: ObjectIdentifier(a), at: 1)
        let wanted = state.narrowing(of: 1)
        let narrowing = try #require(wanted)
        let disturbed = state.end(narrowing, 2)
        #expect(disturbed.map { ObjectIdentifier($0) } == [ObjectIdentifier(b)])
        let again = state.narrowing(of: 2)
        #expect(again?.mask == .create)
    }
}
