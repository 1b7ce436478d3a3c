import Foundation
import TestSupport
import Testing

/// The page of guarantees names the tests that prove them: they are there, none of the guarantees is without one, and none
/// of them is left out.
@Suite struct GuaranteeTests {
    private let names = /G[0-9]+_[A-Za-z0-9_]+/

    private func page() throws -> String {
        try String(
            contentsOf: Document.root.appendingPathComponent("Sources/GroupFiles/GroupFiles.docc/Guarantees.md"),
            encoding: .utf8)
    }

    /// The tests that bear a guarantee's name.
    private func functions() throws -> Set<String> {
        let tests = Document.root.appendingPathComponent("Tests")
        let sources = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter { $0.hasSuffix(".swift") }
        var functions: Set<String> = []
        for source in sources {
            let text = try String(contentsOf: tests.appendingPathComponent(source), encoding: .utf8)
            for match in text.matches(of: /func (G[0-9]+_[A-Za-z0-9_]+)/) { functions.insert(String(match.1)) }
        }
        return functions
    }

    @Test func everyTestOfAGuaranteeIsNamed() throws {
        let named = Set(try page().matches(of: names).map { String($0.0) })
        for name in try functions().subtracting(named).sorted() { Issue.record("the page does not name \(name)") }
    }

    @Test func everyGuaranteeNamesTestsThatAreThere() throws {
        let page = try page()
        let functions = try functions()
        for number in 1...15 {
            let start = try #require(page.range(of: "**G\(number) "), "G\(number)")
            let end = page.range(of: "\n**G", range: start.upperBound..<page.endIndex)?.lowerBound
            let named = page[start.lowerBound..<(end ?? page.endIndex)].matches(of: names).map { String($0.0) }
            #expect(!named.isEmpty, "G\(number)")
            for name in named { #expect(functions.contains(name), "\(name)") }
        }
    }
}
