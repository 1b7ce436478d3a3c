import Foundation
import TestSupport
import Testing

/// The viewer on a terminal, as tmux draws it.
@Suite(.fewAtOnce, .needs("tmux")) struct PanelTests {
    /// Content that is not a value is reported on the same terminal, and the panel continues below.
    @Test func aProblemStaysToBeSeen() async throws {
        try await Terminal.run("viewer") { terminal in
            try await terminal.shows("Not Broadcasting")
            try terminal.set("perhaps")
            try await terminal.shows("is_broadcasting:1:1")
            try terminal.set("true")
            let lines = try await terminal.shows("● Broadcasting")
            #expect(lines.contains { $0.contains("is_broadcasting:1:1") }, "\(lines.joined(separator: "\n"))")
            #expect(lines.count { $0.contains("●") } == 1, "\(lines.joined(separator: "\n"))")
        }
    }

    /// What the shell and its user wrote meanwhile stays.
    @Test func continuedItIsDrawnBelow() async throws {
        try await Terminal.run("bash --norc --noprofile -i") { terminal in
            try await terminal.type("viewer Enter")
            try await terminal.shows("Not Broadcasting")
            for round in 1...2 {
                try await terminal.type("C-z")
                try await terminal.shows("Stopped", times: round)
                try await terminal.type("fg Enter")
                try await terminal.shows("● Not Broadcasting", times: round + 1)
            }
            try terminal.set("true")
            let lines = try await terminal.shows("● Broadcasting")
            #expect(lines.count { $0.contains("Stopped") } == 2, "\(lines.joined(separator: "\n"))")
        }
    }

    /// Otherwise each change would draw the panel again below the old one, because lines that have left the window
    /// cannot be overwritten.
    @Test(arguments: [2, 5, 9])
    func itFitsIntoALowWindow(rows: Int) async throws {
        try await Terminal.run("viewer", rows: rows) { terminal in
            try await terminal.shows("● Not Broadcasting")
            for _ in 1...3 {
                try terminal.set("true")
                try await terminal.shows("● Broadcasting")
                try terminal.set("false")
                try await terminal.shows("● Not Broadcasting")
            }
            let all = try await terminal.everything()
            #expect(all.count { $0.contains("●") } == 1, "\(all.joined(separator: "\n"))")
        }
    }

    @Test(arguments: [true, false])
    func itHasColoursWhereTheyAreWanted(areWanted: Bool) async throws {
        try await Terminal.run(areWanted ? "env -u NO_COLOR viewer" : "env NO_COLOR=1 viewer") { terminal in
            try await terminal.shows("Not Broadcasting")
            let styled = try await terminal.styledText()
            #expect(styled.contains("Not Broadcasting") && styled.contains("\u{1B}[") == areWanted, "\(styled)")
        }
    }

    /// The dumb terminal shows sequences that would move the cursor, instead of moving it.
    @Test func aDumbTerminalGetsLines() async throws {
        try await Terminal.run("env TERM=dumb viewer") { terminal in
            let lines = try await terminal.shows("Not Broadcasting")
            #expect(lines == ["Not Broadcasting"])
        }
    }

    private struct Terminal {
        private let stage: Stage

        /// Runs `body` with a terminal in which a command runs, until `body` returns.
        static func run(_ command: String, rows: Int = 50, _ body: (Terminal) async throws -> Void) async throws {
            let terminal = Terminal(stage: try Stage())
            try await terminal.tmux("-f /dev/null new-session -d -x 200 -y \(rows) '\(command)'")
            do {
                try await body(terminal)
            } catch {
                try await terminal.tmux("kill-server")
                throw error
            }
            try await terminal.tmux("kill-server")
        }

        @discardableResult
        private func tmux(_ words: String) async throws -> String {
            let outcome = try await stage.shell("TERM=screen tmux -S tmux \(words)", group: Stage.group)
            #expect(outcome.exit == .code(0), "\(outcome.errors)")
            return outcome.output
        }

        func type(_ keys: String) async throws { try await tmux("send-keys \(keys)") }

        func set(_ flag: String) throws {
            try FileManager.default.createDirectory(atPath: stage.container, withIntermediateDirectories: true)
            try stage.replace("is_broadcasting", of: Stage.group, with: flag)
        }

        /// The text on the screen, with its colour sequences.
        func styledText() async throws -> String { try await tmux("capture-pane -e -p") }

        /// The text on the screen, and what has scrolled off.
        func everything() async throws -> [String] {
            try await tmux("capture-pane -p -S -").split(separator: "\n").map(String.init)
        }

        /// The text on the screen once it contains `text` this number of times.
        @discardableResult
        func shows(_ text: String, times: Int = 1) async throws -> [String] {
            var lines: [String] = []
            let isShown = try await eventually {
                lines = try await tmux("capture-pane -p").split(separator: "\n").map(String.init)
                return lines.count { $0.contains(text) } >= times
            }
            #expect(isShown, "\(text): \(lines.joined(separator: "\n"))")
            return lines
        }
    }
}
