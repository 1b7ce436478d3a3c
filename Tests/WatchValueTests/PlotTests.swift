import TestSupport
import Testing

@Suite(.needs("tmux")) struct PlotTests {
    @Test func plotOnATerminal() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            try Window.run("-x 20 -y 5", "watch-value --plot v", in: sandbox) { window in
                try window.shows("1") { $0[0].hasPrefix("1        ▄") }
                for value in [8, 4, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8] {
                    try sandbox.run("watch-value set v \(value)")
                    try window.shows("\(value)") { $0[0].hasPrefix("\(value) ") }
                }
                // A single line, at most as wide as the window.
                let lines = try window.shows("the newest") { $0[0].hasSuffix("█▁█▁█▁█") }
                #expect(lines[1] == "")
                try window.tmux("send-keys C-c")
                try window.shows("the end") { $0.contains("done 130") }
            }
        }
    }

    @Test func whatIsNoNumberIsToldBelowThePlot() async throws {
        try await Sandbox.run { sandbox in
            try sandbox.run("watch-value set v 1")
            try Window.run("-x 100 -y 9", "watch-value --plot v", in: sandbox) { window in
                try window.shows("1") { $0[0].hasPrefix("1 ") }
                try sandbox.run("watch-value set --string v x")
                try window.shows("why it is not drawn") { $0[1].hasPrefix("watch-value: v: \"x\" is not a number") }
                try sandbox.run("watch-value set v 8")
                try window.shows("8") { $0[2].hasPrefix("8        ▁█") }
                try sandbox.run("watch-value set --string v y")
                try window.shows("why it is not drawn") { $0[3].hasPrefix("watch-value: v: \"y\" is not a number") }
                try window.tmux("send-keys C-c")
                try window.shows("the end") { $0.contains { $0.hasSuffix("done 130") } }
            }
        }
    }
}
