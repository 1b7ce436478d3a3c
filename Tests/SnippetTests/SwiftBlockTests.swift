import Foundation
import TestSupport
import Testing

/// All Swift code shown in documents is in a file of this target, line for line.
@Suite struct SwiftBlockTests {
    /// All lines without imports, blank lines and indentation. `@main` is left out, because a test target has no main.
    private func essence(_ text: String) -> String {
        text.split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces).replacing("@main ", with: "") }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
            .joined(separator: "\n")
    }

    private func compiled(_ file: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return essence(try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8))
    }

    @Test func theReadmesAreCompiled() throws {
        let compiled = try compiled("Snippets.swift")
        // .ci/run builds the manifest.
        let blocks = try Document.readme().blocks("swift")
            .filter { $0.lines.first?.contains("swift-tools-version") == false }
        #expect(blocks.count >= 3)
        for block in blocks {
            let isCompiled = compiled.contains(essence(block.text))
            #expect(isCompiled, "\(block.text)")
        }
    }

    @Test func theDocumentationsAreCompiled() throws {
        let files = ["Snippets.swift", "ArticleSnippets.swift", "CommentSnippets.swift"]
        let compiled = try files.map(compiled).joined(separator: "\n")
        var articles = 0
        var comments = 0
        for path in try Document.documentation() {
            let blocks = try Document(path).blocks
            for block in blocks {
                #expect(block.language == "swift", "\(path): \(block.text)")
                let isCompiled = compiled.contains(essence(block.text))
                #expect(isCompiled, "\(path): \(block.text)")
            }
            if path.hasSuffix(".md") { articles += blocks.count } else { comments += blocks.count }
        }
        #expect(articles >= 20)
        #expect(comments >= 5)
    }
}
