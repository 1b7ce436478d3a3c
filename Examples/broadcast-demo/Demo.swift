import Dispatch
import Foundation

/// Two processes share a value, and a reader of the README watches.
///
/// Everything happens in a directory of its own, whatever the user's containers hold.
struct Demo {
    private let containers: String
    private let inbox: Inbox
    private var times: [Double] = []

    init(containers: String, inbox: Inbox) {
        self.containers = containers
        self.inbox = inbox
    }

    mutating func run(seconds: Double) throws {
        say("The viewer starts. There is no broadcaster, and the directory they share does not exist yet.")
        let viewer = try start("viewer", "--until-end-of-input")
        defer { viewer.end() }
        try follow([.viewer("Not Broadcasting")])

        say("A broadcaster starts; it writes ten times a second.")
        let news = try start("broadcaster", "--for", "\(seconds)")
        defer { news.end() }
        try follow([.viewer("Not Broadcasting"), .end("broadcaster")])
        tellTimes()

        say("A second one starts, and is killed (SIGKILL): it cannot say goodbye.")
        let show = try start("broadcaster", "--title", "Late show", "--for", "60")
        defer { show.end() }
        try follow([.figures])
        show.signal(SIGKILL)
        try follow([.viewer("No heartbeat"), .end("broadcaster")])

        say("is_broadcasting still says \(try flag()); the heartbeat beside it told. A third one starts, and fails.")
        let last = try start("broadcaster", "--title", "Repairs", "--for", "0.3", "--fail", "camera unplugged")
        defer { last.end() }
        try follow([.viewer("Not Broadcasting"), .end("broadcaster")])
    }

    private func start(_ name: String, _ arguments: String...) throws -> Child {
        try Child(name, arguments, containers: containers, inbox: inbox)
    }

    /// Shows what the programs print, until each of these has happened.
    private mutating func follow(_ wishes: [Wish]) throws {
        var wishes = wishes
        var figures = 0
        while !wishes.isEmpty {
            guard let event = inbox.take(before: .now() + 20) else { throw Trouble.stuck(wishes) }
            switch event {
            case .interrupted: throw Trouble.interrupted
            case .ended("viewer"): throw Trouble.viewerEnded
            case .ended: break
            case .line(let line, let name):
                if let time = event.timeToView {
                    times.append(time)
                    figures += 1
                    // A few are enough to see how it goes.
                    if figures <= 3 { show(line, from: name) }
                } else {
                    if figures > 3 { show("… and \(figures - 3) more", from: "viewer") }
                    figures = 0
                    show(line, from: name)
                }
            }
            wishes.removeAll { $0.isMet(by: event) }
        }
    }

    private func tellTimes() {
        let sorted = times.sorted()
        guard let worst = sorted.last else { return }
        let figures = String(format: "p50 %.3f ms, worst %.3f ms", sorted[sorted.count / 2], worst)
        say("From write to view, \(sorted.count) values: \(figures)")
    }

    /// What any program finds in the file.
    private func flag() throws -> String {
        let path = containers + "/group.com.example.broadcast/is_broadcasting"
        return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func say(_ text: String) { printLine("\n" + text) }

    private func show(_ line: String, from name: String) {
        printLine("  " + name.padding(toLength: 12, withPad: " ", startingAt: 0) + "| " + line)
    }

    private func printLine(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
