import Testing

/// A terminal of a certain size, as drawn by tmux.
struct Window {
    let sandbox: Sandbox

    /// Runs `body` with a terminal in which a command runs. The terminal shows `done CODE` when the command has ended.
    static func run(_ size: String, _ command: String, in sandbox: Sandbox, _ body: (Window) throws -> Void) throws {
        let window = Window(sandbox: sandbox)
        let script = "trap : INT; \(command); echo done $?; exec cat"
        // Without `exec`, a signal from the terminal could end the shell in which tmux runs this.
        let words = "-f /dev/null -S tmux new-session -d \(size)"
        let result = try sandbox.run("export TERM=screen COMMAND='\(script)'; tmux \(words) 'exec sh -c \"$COMMAND\"'")
        try #require(result.code == 0, "\(result.errors)")
        defer { _ = Result { try window.tmux("kill-server") } }
        try body(window)
    }

    @discardableResult
    func tmux(_ words: String) throws -> [String] {
        try sandbox.run("tmux -f /dev/null -S tmux \(words)").output
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Waits until what the terminal shows meets a condition, and returns it.
    @discardableResult
    func shows(_ what: String, escapes: Bool = false, _ isMet: ([String]) -> Bool) throws -> [String] {
        var lines: [String] = []
        do {
            try waitUntil(what) {
                lines = try tmux("capture-pane -p\(escapes ? " -e" : "")")
                // The terminal shows nothing before it exists.
                lines += Array(repeating: "", count: 10)
                return isMet(lines)
            }
        } catch {
            throw RunningScript.TimedOut(description: "\(error); it shows \(lines.joined(separator: "\n"))")
        }
        return lines
    }
}
