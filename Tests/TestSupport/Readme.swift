package import Foundation

/// README.md, or another document of this package, taken apart: its fenced blocks, by language.
package struct Readme: Sendable {
    package struct Block: Sendable {
        package let language: String
        package let lines: [String]

        package var text: String { lines.joined(separator: "\n") }

        /// What follows the prompt.
        package var commands: [String] { lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) } }
        /// What does not.
        package var output: [String] { lines.filter { !$0.hasPrefix("$ ") } }
    }

    package let blocks: [Block]

    /// - Parameter path: from the package's directory on.
    package init(_ path: String = "README.md") throws {
        let text = try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
        var blocks: [Block] = []
        var open: (language: String, lines: [String])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
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

    /// The directory of this package.
    package static var package: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }
}
