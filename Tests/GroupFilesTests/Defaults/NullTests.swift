import Foundation
import GroupFiles
import Testing

/// Nil stands for a missing value, also where it comes as JSON's null.
struct NullTests {
    /// Sets a generic value, as a program's own property wrapper does.
    private func set<T: Codable & Sendable>(_ value: T, in defaults: GroupDefaults) throws {
        try defaults.set(value, forKey: "k")
    }

    @Test(arguments: Backend.allCases)
    func nilThatIsSetByGenericCodeRemoves(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        for remove in [{ try set(Int?.none, in: defaults) }, { try set(Int??.some(nil), in: defaults) }] {
            try set(Int?.some(5), in: defaults)
            #expect(defaults.integer(forKey: "k") == 5)
            try remove()
            #expect(try bench.container.currentNames() == [])
        }
    }

    @Test(arguments: Backend.allCases, ["null", " null\n", "\u{FEFF}null"])
    func nullIsNilAndHidesNothing(backend: Backend, text: String) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        defaults.register(defaults: ["k": 5])
        try bench.put(text, in: "k")
        let file = try bench.container.file(named: "k", as: Int.self)
        #expect(file.status == .current)
        #expect(file.value == nil)
        #expect(defaults.integer(forKey: "k") == 5)
        #expect(defaults.dictionaryRepresentation()["k"] as? Int == 5)
        try file.update { $0 = ($0 ?? 5) + 1 }
        #expect(defaults.observe("k", as: Int.self).value == 6)
    }

    /// A `GroupFile` of `Int` sees what a property of `Int?` sets and removes.
    @Test(arguments: Backend.allCases)
    func aPropertyThatIsSetToNilReadsAsNilEverywhere(backend: Backend) throws {
        let bench = try backend.make()
        let property = GroupValue<Int?>("k", in: bench.container)
        let file = try bench.container.file(named: "k", as: Int.self)
        property.wrappedValue = 4
        #expect(try file.read() == 4)
        property.wrappedValue = nil
        #expect(try file.read() == nil)
        #expect(file.status == .current)
        try property.projectedValue.remove()
        #expect(try bench.container.currentNames() == [])
    }

    /// Nil as it comes from a program's earlier storage, where the program had not set the value.
    @Test(arguments: Backend.allCases)
    func nilOfAnyTypeIsAdoptedByNoKey(backend: Backend) throws {
        let bench = try backend.make()
        let defaults = GroupDefaults(container: bench.container)
        let nothing: [Any] = [
            [Any]?.none as Any, [String: Any]?.none as Any, Any?.none as Any, Int?.none as Any, Int??.some(nil) as Any,
            NSNull(),
        ]
        for value in nothing { try defaults.adopt(["k": value, "other": 1]) }
        #expect(try bench.container.currentNames() == ["other"])
        try defaults.set(["list": nothing, "number": 1] as [String: Any], forKey: "k")
        #expect(try bench.text(of: "k") == #"{"list":[null,null,null,null,null,null],"number":1}"# + "\n")
    }
}
