import TestSupport
import Testing

@Suite(.fewAtOnce)
struct FaultTests {
    enum Doing: String, CaseIterable, Sendable {
        case write, update, read
        /// Registering for the first time, on a value that is there, and on one that is to be made.
        case open, create
    }

    /// G6, G9: every system call of each operation fails in turn, in every way. That leaves the old value or the new
    /// one, a typed error, no descriptor and no temporary file, and everything works afterwards.
    ///
    /// The probe runs the operations, because nobody else opens anything in its process.
    @Test(arguments: TemporaryDirectory.Place.allCases, Doing.allCases)
    func G6_G9_everyCallMayFail(place: TemporaryDirectory.Place, doing: Doing) async throws {
        let folder = try TemporaryDirectory(on: place)
        let program = try Program(.product("probe"), ["faults", folder.path, doing.rawValue])
        let last = try await program.line("done ", within: .seconds(240))
        let numbers = last.split(separator: " ").compactMap { Int($0) }
        let bad = program.output.elements.filter { $0.hasPrefix("bad ") }
        #expect(bad.isEmpty, "\(bad.count): \(bad.prefix(5))")
        #expect(numbers.allSatisfy { $0 > 5 } && numbers.count == 2, "\(last)")
    }
}
