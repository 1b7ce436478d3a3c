import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Names that come and go stay in the order in which they would be sorted.
struct SortedNamesTests {
    @Test func theyAreWhatSortingMakesOfThem() {
        var generator = SeededGenerator.ofThisRun()
        var sorted = SortedNames()
        var all: Set<ExactName> = []
        for _ in 0..<500 {
            var adding: Set<ExactName> = []
            var removing: Set<ExactName> = []
            for _ in 0..<generator.choose([1, 3, 40]) {
                let name = ExactName("v\(Int.random(in: 0..<200, using: &generator))")
                if generator.choose([true, false]) { adding.insert(name) } else { removing.insert(name) }
            }
            removing.subtract(adding)
            let before = all
            all = all.union(adding).subtracting(removing)
            let hasChanged = sorted.change(adding: adding, removing: removing)
            #expect(hasChanged == (all != before))
            #expect(sorted.names == all)
            #expect(sorted.sorted == all.map(\.text).sorted())
        }
    }

    /// To the file system the two spellings are two names, and in Swift's order neither comes before the other.
    @Test(arguments: [1, 20])
    func spellingsOfOneLetterAreTwoNames(others: Int) {
        var names = SortedNames()
        let (one, two) = (ExactName("\u{E9}"), ExactName("e\u{301}"))
        let more = Set((0..<others).map { ExactName("x\($0)") })
        func change(_ adding: Set<ExactName>, without removing: Set<ExactName> = []) -> Bool {
            names.change(adding: adding, removing: removing)
        }
        #expect(change(more.union([one])))
        #expect(change([two]))
        #expect(!change([one, two]))
        #expect(names.sorted.count == others + 2)
        #expect(change([], without: [one]))
        #expect(Set(names.sorted.map(ExactName.init)) == more.union([two]))
        #expect(change([one], without: more.union([two])))
        #expect(names.sorted.map(ExactName.init) == [one])
    }
}
