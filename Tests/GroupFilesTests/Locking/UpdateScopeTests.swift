import Testing

@testable import GroupFiles

/// Updates begun by tasks that were started within other updates.
struct UpdateScopeTests {
    private struct WeakCore: Sendable {
        weak let core: FileCore?
    }

    private func core() -> FileCore { FileCore(file: AbsentFile(path: "")) }

    @Test func updatesThatHaveEndedAreLetGo() {
        var scopes: [UpdateScope] = []
        var cores: [WeakCore] = []
        for _ in 0..<100 {
            let core = core()
            cores.append(WeakCore(core: core))
            // One after the other: a task outlives the update that started it, and begins an update of its own.
            let scope = UpdateScope.resume(scopes.last) { UpdateScope(core) }
            scope.run {}
            scopes = [scope]
        }
        #expect(cores.filter { $0.core != nil }.count == 1)
        withExtendedLifetime(scopes) {}
    }

    @Test func updatesThatEndAfterTheNextHasBegunAreLetGo() {
        var scopes: [UpdateScope] = []
        var cores: [WeakCore] = []
        for _ in 0..<100 {
            let core = core()
            cores.append(WeakCore(core: core))
            scopes = [scopes.last?.run { UpdateScope(core) } ?? UpdateScope(core)]
        }
        #expect(cores.filter { $0.core != nil }.count <= 2)
        withExtendedLifetime(scopes) {}
    }

    @Test func whatIsUpdatedIsKnownWithinItOnly() {
        let (outer, inner, other) = (core(), core(), core())
        let late = UpdateScope(outer).run { () -> UpdateScope in
            #expect(UpdateScope.contains(outer))
            let scope = UpdateScope(inner)
            scope.run {
                #expect(UpdateScope.contains(outer) && UpdateScope.contains(inner) && !UpdateScope.contains(other))
            }
            #expect(!UpdateScope.contains(inner))
            return UpdateScope(inner)
        }
        #expect(!UpdateScope.contains(outer))
        late.run { #expect(!UpdateScope.contains(outer) && UpdateScope.contains(inner)) }
    }
}
