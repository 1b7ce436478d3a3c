import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// The stores that watch a directory, and the path by which it was found last.
struct FollowersTests {
    @Test func theLastPathIsThatOfTheLastWhoIsThere() {
        var generator = SeededGenerator.ofThisRun()
        var followers = Followers()
        let stores = (0..<5).map { _ in MemoryStore(path: "nobody") }
        var there: [(path: String, store: Int)] = []
        for _ in 0..<2000 {
            let path = generator.choose(["/a", "/b", "/e\u{301}", "/\u{E9}"])
            let store = generator.choose(Array(stores.indices))
            let index = there.lastIndex { $0.path.utf8.elementsEqual(path.utf8) && $0.store == store }
            if generator.choose([true, false]) {
                followers.add(path, stores[store])
                // A store that is added again counts where it was added last, however often it has to leave.
                for index in there.indices where there[index].path.utf8.elementsEqual(path.utf8) {
                    if there[index].store == store { there[index].store = -1 - store }
                }
                there.append((path, store))
            } else {
                followers.remove(path, ObjectIdentifier(stores[store]))
                let earlier = there.lastIndex { $0.path.utf8.elementsEqual(path.utf8) && $0.store == -1 - store }
                if let gone = earlier ?? index { there.remove(at: gone) }
            }
            let last = there.last { $0.store >= 0 }
            #expect(ExactName(followers.lastPath ?? "") == ExactName(last?.path ?? ""))
            #expect(followers.isEmpty == there.isEmpty)
            #expect(followers.count == there.count { $0.store >= 0 })
            #expect(followers.followings.count == followers.count)
        }
    }

    /// Stores that left take no memory.
    @Test func whoLeftIsForgotten() throws {
        var followers = Followers()
        let (first, second) = (MemoryStore(path: "nobody"), MemoryStore(path: "nobody"))
        followers.add("/first", first)
        for number in 0..<1000 {
            followers.add("/\(number)", first)
            followers.add("/last", second)
            followers.remove("/\(number)", ObjectIdentifier(first))
            followers.remove("/last", ObjectIdentifier(second))
            followers.add("/last", second)
        }
        #expect(try privateCount(of: "arrivals", in: followers) < 50)
        #expect(followers.lastPath == "/last")
    }
}
