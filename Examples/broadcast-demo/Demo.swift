import ExampleSupport
import Foundation

/// Two processes share a value, and a reader of the README watches.
///
/// Everything happens in a directory of its own, whatever the user's containers hold.
struct Demo {
    /// Seconds.
    private static let patience = 20

    private let containers: String
    private let console: Console
    /// The events of all programs, in the order in which they are noticed.
    private let events: AsyncStream<Event>
    private let inbox: AsyncStream<Event>.Continuation

    init(containers: String, _ console: Console) {
        self.containers = containers
        self.console = console
        (events, inbox) = AsyncStream.makeStream()
    }

    func run(seconds: Double) async throws {
        // Each running program is a task of the group: none is left behind, however this ends.
        try await withThrowingTaskGroup { programs in
            say("The viewer starts. There is no broadcaster, and the directory they share does not exist yet.")
            try start("viewer", in: &programs)
            try await follow(until: .viewer("Not Broadcasting"))

            say("A broadcaster starts; it writes ten times a second.")
            try start("broadcaster", "--for", "\(seconds)", in: &programs)
            tell(try await follow(until: .viewer("Not Broadcasting"), .end("broadcaster")))

            say("A second one starts, and is killed (SIGKILL): it cannot say goodbye.")
            let second = try start("broadcaster", "--title", "Late show", "--for", "60", in: &programs)
            try await follow(until: .figures)
            second.signal(SIGKILL)
            try await follow(until: .viewer("No heartbeat"), .end("broadcaster"))

            let flag = try flag()
            say("is_broadcasting still says \(flag); the heartbeat beside it told. A third one starts, and fails.")
            try start(
                "broadcaster", "--title", "Repairs", "--for", "0.3", "--fail", "camera unplugged", in: &programs)
            try await follow(until: .viewer("Not Broadcasting"), .end("broadcaster"))
            programs.cancelAll()
        }
    }

    @discardableResult
    private func start(
        _ name: String, _ arguments: String..., in programs: inout ThrowingTaskGroup<Void, any Error>
    ) throws -> Child {
        let child = try Child(name, arguments + ["--until-end-of-input"], containers: containers)
        programs.addTask { await child.follow { inbox.yield($0) } }
        return child
    }

    /// Shows what the programs print, until each of these has happened; returns the times from write to view, in
    /// milliseconds.
    @discardableResult
    private func follow(until expectations: Expectation...) async throws -> [Double] {
        var expectations = expectations
        var times: [Double] = []
        var figures = 0
        while !expectations.isEmpty {
            let event = try await next()
            switch event {
            case .ended("viewer"): throw Failure("the viewer has ended", exitCode: 1)
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
            expectations.removeAll { $0.isMet(by: event) }
        }
        return times
    }

    /// The next event; throws if none comes for too long.
    private func next() async throws -> Event {
        try await withThrowingTaskGroup { group in
            group.addTask {
                for await event in events { return event }
                throw CancellationError()
            }
            group.addTask {
                // Second by second: if everything stands still, as after Ctrl-Z, that costs only one of them.
                for _ in 0..<Self.patience { try await Task.sleep(for: .seconds(1)) }
                throw Failure("nothing has happened for \(Self.patience) seconds", exitCode: 1)
            }
            defer { group.cancelAll() }
            guard let event = try await group.next() else { throw CancellationError() }
            return event
        }
    }

    private func tell(_ times: [Double]) {
        let sorted = times.sorted()
        guard let worst = sorted.last else { return }
        let figures = String(format: "p50 %.3f ms, worst %.3f ms", sorted[sorted.count / 2], worst)
        say("From write to view, \(sorted.count) values: \(figures)")
    }

    /// The text of the flag's file, as any program finds it.
    private func flag() throws -> String {
        let path = containers + "/group.com.example.broadcast/is_broadcasting"
        return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func say(_ text: String) { console.show("\n" + text) }

    private func show(_ line: String, from name: String) {
        console.say("  " + name.padding(toLength: 12, withPad: " ", startingAt: 0) + "| " + line)
    }
}
