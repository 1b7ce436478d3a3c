import Foundation
import GroupFiles
import Observation
import TestSupport
import Testing

/// The declarations that a new user writes after reading the contract.
struct DeclarationTests {
    static let radio = GroupContainer.inMemory()

    struct Settings {
        @GroupValue("luckyNumber", group: "group.com.example.declarations") var luckyNumber = 0
        @GroupValue("volume", in: DeclarationTests.radio) var volume = 5
        @GroupValue("station", in: DeclarationTests.radio, codec: .text) var station = "one"
        @GroupValue("picture", in: DeclarationTests.radio, codec: .data, maximumSize: 64 << 20) var picture = Data()
        @GroupValue("user", in: DeclarationTests.radio) var user: String?
    }

    final class Player {
        @GroupValue("volume", in: DeclarationTests.radio) var volume = 5
        func louder() throws { try $volume.update { $0 += 1 } }
    }

    @Observable final class ViewModel {
        @ObservationIgnored @GroupValue("volume", in: DeclarationTests.radio) var volume = 5
    }

    actor Mixer {
        @GroupValue("volume", in: DeclarationTests.radio) var volume = 5
        func mute() { volume = 0 }
    }

    @MainActor final class Screen {
        @GroupValue("volume", in: DeclarationTests.radio) var volume = 5
        func mute() { volume = 0 }
    }

    struct Full: Error {}

    private static func raise(_ volume: inout Int) throws(Full) {
        if volume > 5 { throw Full() }
        volume += 1
    }

    private static func raiseBlocking(_ volume: GroupFile<Int>) throws {
        try volume.update { volume throws(Full) in try raise(&volume) }
    }

    /// Without a type parameter for the error, the compiler crashed at such a closure.
    @Test func aBodyMayDeclareWhatItThrows() async throws {
        let volume = try GroupFile("volume", in: .inMemory(), initialValue: 4)
        try Self.raiseBlocking(volume)
        try await volume.update { volume throws(Full) in try Self.raise(&volume) }
        await #expect(throws: Full.self) {
            try await volume.update { (volume: inout Int) async throws(Full) in
                await Task.yield()
                try Self.raise(&volume)
            }
        }
        #expect(volume.value == 6)
    }

    @MainActor enum Preferences {
        @GroupValue("volume", in: DeclarationTests.radio) static var volume = 5
    }

    enum Shared {
        static let volume = GroupValue(wrappedValue: 5, "volume", in: DeclarationTests.radio)
    }

    @Test func valuesAreDeclaredInStructsClassesActorsAndObservableClasses() async throws {
        @GroupValue("volume", in: Self.radio) var volume = 5
        let settings = Settings()
        settings.volume = 6
        try await Task { try await settings.$volume.update { $0 += 1 } }.value
        #expect(volume == 7)
        #expect(ViewModel().volume == 7)
        try Player().louder()
        #expect(Player().volume == 8)
        await Mixer().mute()
        #expect(await Mixer().volume == 0)
        await Screen().mute()
        volume = 9
        #expect(await Screen().volume == 9)
        await MainActor.run { Preferences.volume += 1 }
        #expect(Shared.volume.wrappedValue == 10)
        settings.station = "two"
        settings.picture = Data([1, 2])
        #expect(Settings().station == "two")
        #expect(Settings().picture == Data([1, 2]))
        #expect(Settings().user == nil)
        #expect(Settings().luckyNumber == 0)
    }

    @Test func programsWithFoundationPortTheirDefaults() async throws {
        let name = "group-files-test-\(UUID().uuidString)"
        let old = UserDefaults(suiteName: name)
        defer { old?.removePersistentDomain(forName: name) }
        old?.set(5, forKey: "number")
        old?.set(true, forKey: "flag")
        old?.set(1.5, forKey: "ratio")
        old?.set("text", forKey: "name")
        old?.set(["a", "b"], forKey: "list")
        old?.set(["k": 1], forKey: "tree")
        old?.set(Data([1, 2]), forKey: "data")
        let values = try #require(old?.dictionaryRepresentation())
        let kept = values.filter { ["number", "flag", "ratio", "name", "list", "tree", "data"].contains($0.key) }
        let defaults = GroupDefaults(container: .inMemory())
        try defaults.adopt(kept)
        #expect(defaults.integer(forKey: "number") == 5)
        #expect(defaults.bool(forKey: "flag"))
        #expect(defaults.double(forKey: "ratio") == 1.5)
        #expect(defaults.string(forKey: "name") == "text")
        #expect(defaults.array(forKey: "list") as? [String] == ["a", "b"])
        #expect(defaults.dictionary(forKey: "tree") as? [String: Int] == ["k": 1])
        #expect(defaults.data(forKey: "data") == Data([1, 2]))
        defaults.register(defaults: ["registered": 1, "text": "x"])
        let subscription = defaults.observe("number", as: Int.self).sink { number in _ = number }
        subscription.cancel()
    }

    /// An overload without a type is unavailable, and must not be preferred.
    @Test func theTypeOfAnObjectIsInferred() throws {
        let defaults = GroupDefaults(container: .inMemory())
        let date = Date(timeIntervalSinceReferenceDate: 1)
        try defaults.set(date, forKey: "date")
        let inferred: Date? = defaults.object(forKey: "date")
        #expect(inferred == date)
        #expect(defaults.object(forKey: "date") ?? Date.distantPast == date)
        if let bound: Date = defaults.object(forKey: "date") { #expect(bound == date) }
        #expect(defaults.object(forKey: "date", as: Date.self) != nil)
    }

    @Test func nilIsAdoptedByNoKey() throws {
        let container = GroupContainer.inMemory()
        let defaults = GroupDefaults(container: container)
        try defaults.adopt(["a": Int?.none as Any, "b": 1])
        #expect(try container.currentNames() == ["b"])
        try defaults.adopt(["a": 6])
        #expect(defaults.integer(forKey: "a") == 6)
    }

    private static let noNil = GroupCodec<Int?>(
        encode: { value in
            guard let value else { throw CocoaError(.coderInvalidValue) }
            return Data(String(value).utf8)
        }, decode: { Int(String(decoding: $0, as: UTF8.self)) })

    /// "If there is a value, change it" is an update like any other.
    @Test func anUpdateThatLeavesNilWritesNothing() throws {
        let folder = try TemporaryDirectory()
        for container in [.inMemory(), try GroupContainer(directory: folder.path("c"))] {
            let file = try container.file(named: "v", as: Int.self)
            try file.update { $0 = $0.map { $0 + 1 } }
            #expect(try container.currentNames() == [])
            try container.file(named: "w", as: String.self).write("x")
            #expect(throws: GroupFileError.self) { try container.file(named: "w", as: String.self).update { $0 = nil } }
            try file.write(1)
            try file.update { $0 = $0.map { $0 + 1 } }
            #expect(file.value == 2)
            // A missing value does not read as nil where the initial value is something else.
            let full = try GroupFile("x", in: container, initialValue: Int?(5), codec: Self.noNil)
            try full.remove()
            #expect(throws: GroupFileError.self) { try full.update { $0 = nil } }
        }
        try folder.write("null\n", to: "c/v")
        let file = try GroupContainer(directory: folder.path("c")).file(named: "v", as: Int.self)
        try file.update { _ in }
        #expect(try folder.read("c/v") == "null\n")
    }
}
