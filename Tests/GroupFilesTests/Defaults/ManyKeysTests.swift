import SystemCalls
import TestSupport
import Testing

@testable import GroupFiles

/// Defaults of which a program asks one key after the other, such as `seen-<number>` for each message.
struct ManyKeysTests {
    @Test(arguments: Backend.allCases)
    func keysThatAreMissingTakeNoMemory(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        weak let missing = try defaults.own.file(forKey: "missing")
        weak let removed = try defaults.own.file(forKey: "removed")
        try defaults.set(1, forKey: "removed")
        try defaults.removeObject(forKey: "removed")
        for number in 0..<1000 { #expect(!defaults.bool(forKey: "seen-\(number)")) }
        #expect(missing == nil)
        #expect(removed == nil)
        try defaults.set(2, forKey: "missing")
        #expect(defaults.integer(forKey: "missing") == 2)
    }

    @Test(arguments: Backend.directories)
    func amongManyMissingKeysTheLastGoodValueStays(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        try defaults.set(7, forKey: "luckyNumber")
        try bench.put("{", in: "luckyNumber")
        for number in 0..<1000 { _ = defaults.bool(forKey: "seen-\(number)") }
        #expect(defaults.integer(forKey: "luckyNumber") == 7)
    }

    /// A file in the container that is no key's value, such as a picture.
    @Test(arguments: Backend.directories)
    func whatIsNoValueIsNotKeptForTheRepresentation(backend: Backend) async throws {
        let bench = try backend.make()
        let folder = try #require(bench.folder)
        let defaults = GroupDefaults(container: bench.container)
        try defaults.set(7, forKey: "luckyNumber")
        try defaults.set(8, forKey: "broken")
        for name in ["picture", "broken"] { try bench.put("{", in: name) }
        #expect(defaults.dictionaryRepresentation().keys.sorted() == ["broken", "luckyNumber"])
        let path = folder.path("c")
        let directory = DirectoryCore.shared(try Path.status(of: path).identity, path: path, watcher: nil)
        #expect(await eventually { directory.existingCore("picture") == nil })
        #expect(directory.existingCore("broken") != nil)
    }

    @Test(arguments: Backend.directories)
    func withoutDescriptorsTheRepresentationHasTheLastGoodValues(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        try defaults.set(7, forKey: "luckyNumber")
        let found = SystemCallTap.failing(.open, with: .tooManyOpenFiles) {
            defaults.dictionaryRepresentation()
        }
        #expect(found.mapValues { "\($0)" } == ["luckyNumber": "7"])
    }

    @Test func anObservedKeyThatIsMissingIsToldAmongManyOthers() async throws {
        let defaults = GroupDefaults(container: .inMemory())
        let told = Log<Int?>()
        let subscription = defaults.observe("k", as: Int.self).sink { told.append($0) }
        defer { subscription.cancel() }
        for number in 0..<1000 { _ = defaults.bool(forKey: "seen-\(number)") }
        try defaults.set(5, forKey: "k")
        #expect(await told.first { $0 == 5 } != nil)
    }
}
