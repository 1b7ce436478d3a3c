import Foundation
import Testing

/// README.md, taken apart: its fenced blocks, by language.
struct Readme {
    struct Block: Sendable, CustomTestStringConvertible {
        let language: String
        let lines: [String]

        var text: String { lines.joined(separator: "\n") }
        var testDescription: String { lines.first ?? "" }

        /// What follows the prompt.
        var commands: [String] { lines.filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) } }
    }

    let blocks: [Block]

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
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

    static func blocks(_ language: String) throws -> [Block] {
        try Readme().blocks.filter { $0.language == language }
    }
}
