package import Foundation

/// The fenced blocks of a Markdown file, or of the documentation comments of a Swift file.
package struct Document: Sendable {
    package struct Block: Sendable {
        package let language: String
        package let lines: [String]

        package var text: String { lines.joined(separator: "\n") }

        /// The lines with a prompt, without it.
        package var commands: [String] { lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) } }
        /// The lines without a prompt.
        package var output: [String] { lines.filter { !$0.hasPrefix("$ ") } }
    }

    package let blocks: [Block]

    /// - Parameter path: The file's, from the package's root.
    package init(_ path: String) throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if path.hasSuffix(".swift") { lines = lines.compactMap(Self.comment) }
        var blocks: [Block] = []
        var open: (language: String, lines: [String])?
        for line in lines {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(Block(language: block.language, lines: block.lines))
                    open = nil
                } else {
                    open = (String(line.dropFirst(3)), [])
                }
            } else {
                open?.lines.append(line)
            }
        }
        self.blocks = blocks
    }

    package func blocks(_ language: String) -> [Block] { blocks.filter { $0.language == language } }

    /// The text of a line of a documentation comment; nil for any other line.
    private static func comment(_ line: String) -> String? {
        let line = line.drop(while: \.isWhitespace)
        guard line.hasPrefix("///") else { return nil }
        return String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3))
    }

    /// The directory of this package.
    package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    package static func readme() throws -> Document { try Document("README.md") }

    /// The files that document the public modules: their articles and their sources.
    package static func documentation() throws -> [String] {
        try ["GroupFiles", "FileEvents", "Observables"].flatMap { module in
            let folder = "Sources/" + module
            let names = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            return names.filter { $0.hasSuffix(".md") || $0.hasSuffix(".swift") }.map { folder + "/" + $0 }.sorted()
        }
    }
}
