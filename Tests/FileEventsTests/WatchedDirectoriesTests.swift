import SystemCalls
import Testing

@testable import FileEvents

struct WatchedDirectoriesTests {
    typealias Consequences = WatchedDirectories.Consequences

    private static func event(_ watch: Int32, _ mask: InotifyMask, _ name: String? = nil) -> InotifyEvent {
        InotifyEvent(watch: watch, mask: mask, name: name)
    }

    /// Watch 1 is the parent of 2, the target, which is named "d" there. Watch 3 is no longer on the way.
    static let told: [(events: [InotifyEvent], consequences: Consequences)] = [
        ([], Consequences(changes: [])),
        ([event(2, .modify, "v")], Consequences(changes: [event(2, .modify, "v")])),
        ([event(2, .modify, "v"), event(1, .movedTo, "x")], Consequences(changes: [event(2, .modify, "v")])),
        ([event(1, .movedTo, "d")], Consequences(changes: [], mustResolve: true, mayHaveLedElsewhere: true)),
        ([event(1, .attributes, "d")], Consequences(changes: [])),
        ([event(1, .attributes)], Consequences(changes: [], mustResolve: true)),
        ([event(2, .attributes)], Consequences(changes: [], mustResolve: true, accessMayHaveChanged: true)),
        ([event(1, .moveSelf)], Consequences(changes: [], mayHaveMissedEvents: true, mustResolve: true)),
        ([event(2, .ignored)], Consequences(changes: [], mayHaveMissedEvents: true, mustResolve: true)),
        (
            [event(2, .unmount)],
            Consequences(changes: [], mayHaveMissedEvents: true, mustResolve: true, isUnmounted: true)
        ),
        ([event(3, .movedTo, "d"), event(3, .deleteSelf)], Consequences(changes: [])),
        (
            [event(2, .modify, "v"), event(2, .deleteSelf)],
            Consequences(changes: [event(2, .modify, "v")], mayHaveMissedEvents: true, mustResolve: true)
        ),
    ]

    @Test(arguments: told.indices)
    func meanForThePath(index: Int) {
        let watched = WatchedDirectories([1: .init(names: [ExactName("d")]), 2: .init()], target: 2)
        #expect(watched.consequences(of: Self.told[index].events, lostEvents: false) == Self.told[index].consequences)
        // Whatever else is reported, anything may have happened.
        var all = Self.told[index].consequences
        (all.mayHaveMissedEvents, all.mustResolve) = (true, true)
        #expect(watched.consequences(of: Self.told[index].events, lostEvents: true) == all)
    }

    /// Where a link in the target leads depends on the link's name, and an event with that name is also reported as a
    /// change. What happens to the leaf is a change, and no more.
    @Test(arguments: [(InotifyMask.movedTo, true), (.delete, true), (.modify, false)], ["l", "v", nil])
    func aNameInTheTargetMayMatterToTheWay(told: (mask: InotifyMask, matters: Bool), leaf: String?) {
        let watched = WatchedDirectories([2: .init(names: [ExactName("v")])], target: 2, leaf: leaf)
        let events = [Self.event(2, told.mask, "v"), Self.event(2, .movedTo, "w")]
        #expect(
            watched.consequences(of: events, lostEvents: false)
                == Consequences(
                    changes: events, mustResolve: told.matters, mayHaveLedElsewhere: told.matters && leaf != "v"))
    }

    /// Swift takes the two names for equal, the file system does not.
    @Test func aNameThatOnlyLooksTheSameDoesNotMatterToTheWay() {
        let watched = WatchedDirectories([2: .init(names: [ExactName("\u{E9}")])], target: 2, leaf: "\u{E9}")
        let events = [Self.event(2, .delete, "e\u{301}")]
        #expect(watched.consequences(of: events, lostEvents: false) == Consequences(changes: events))
    }

    @Test func withoutATargetNothingChangesInIt() {
        let watched = WatchedDirectories([1: .init(names: [ExactName("d")])])
        let events = [Self.event(1, .movedTo, "d"), Self.event(1, .movedTo, "x")]
        #expect(
            watched.consequences(of: events, lostEvents: false)
                == Consequences(changes: [], mustResolve: true, mayHaveLedElsewhere: true))
        #expect(watched.numbers == [1])
    }
}
