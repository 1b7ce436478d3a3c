import Foundation
import TestSupport
import Testing

/// The page of guarantees says that the names of a guarantee's tests begin with its number.
@Suite struct GuaranteeTests {
    @Test func thePageHasEachGuaranteeOnce() throws {
        let page = try String(
            contentsOf: Document.root.appendingPathComponent("Sources/GroupFiles/GroupFiles.docc/Guarantees.md"),
            encoding: .utf8)
        let numbers = page.matches(of: /(?m)^### G([0-9]+):/).map { String($0.1) }
        #expect(numbers == (1...15).map(String.init))
    }

    @Test func eachGuaranteeHasTests() throws {
        let folder = Document.root.appendingPathComponent("Tests")
        var tested: Set<Int> = []
        // Test names in this file do not count.
        let sources = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") && !#filePath.hasSuffix($0) }
        for source in sources {
            let text = try String(contentsOf: folder.appendingPathComponent(source), encoding: .utf8)
            tested.formUnion(guarantees(testedBy: text))
        }
        #expect(tested == Set(1...15))
    }

    @Test func whatIsNoTestProvesNothing() {
        let source = """
            @Suite struct SomeTests {
                @Test func G1_isRun() {}
                @Test(arguments: [1, 2], ["a", "b"])
                func G2_G3_isRunWithArguments(number: Int, letter: String) async throws {}
                @Test(.disabled(if: CurrentProcess.hasThreadSanitizer, "it wakes up"))
                func G4_isRunElsewhere() {}
                // @Test func G5_isCommentedOut() {}
                /*
                @Test func G6_isCommentedOutWithOthers() {}
                */
                @Test(.disabled("it fails"))
                func G7_isDisabled() {}
                @Test func isRun() {}
                func G8_isNoTest() {}
            }
            """
        #expect(guarantees(testedBy: source) == [1, 2, 3, 4])
        #expect(guarantees(testedBy: "@Suite(.disabled()) struct SomeTests { @Test func G1_isInNoSuite() {} }") == [])
    }

    /// The guarantees whose numbers appear in the names of tests that run.
    private func guarantees(testedBy source: String) -> Set<Int> {
        let code = source.replacing(/\/\*[\s\S]*?\*\//, with: "").split(separator: "\n")
            .filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
            .joined(separator: "\n")
        if code.contains(/@Suite\([^{]*\.disabled\((?!if:)/) { return [] }
        var guarantees: Set<Int> = []
        for test in code.matches(of: /@Test\b((?:(?!@Test\b|\bfunc\b)[\s\S])*)func ((?:G[0-9]+_)+)/)
        where !test.1.contains(/\.disabled\((?!if:)/) {
            guarantees.formUnion(test.2.split(separator: "_").compactMap { Int($0.dropFirst()) })
        }
        return guarantees
    }
}
