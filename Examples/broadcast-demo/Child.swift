import Foundation

/// A program beside this one, started; what it prints goes to the inbox line by line.
final class Child: Sendable {
    let name: String
    private let process = Process()
    /// Nothing is written to it; it ends when this process does.
    private let input = Pipe()

    init(_ name: String, _ arguments: [String] = [], containers: String, inbox: Inbox) throws {
        self.name = name
        let directory = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        process.executableURL = directory.appendingPathComponent(name)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["GROUP_CONTAINERS": containers]) { $1 }
        process.standardInput = input
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        // A thread: libdispatch crashes where its file sources come and go, as they do with `readabilityHandler`.
        Thread.detachNewThread {
            var rest = Data()
            while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
                rest.append(data)
                var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Data(lines.removeLast())
                for line in lines { inbox.put(.line(String(decoding: line, as: UTF8.self), from: name)) }
            }
            inbox.put(.ended(name))
        }
    }

    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    func end() {
        signal(SIGTERM)
        process.waitUntilExit()
    }
}
