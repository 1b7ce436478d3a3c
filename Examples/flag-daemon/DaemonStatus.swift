import ExampleSupport
import Foundation
import GroupFiles

/// What others can know of the daemon.
struct DaemonStatus: Codable, Sendable {
    enum State: String, Codable {
        case running
        case stopped
    }

    var state = State.stopped
    /// Who runs, or was killed before it could say that it ends.
    var process: ProcessIdentity?
    /// Since when it runs, or has stopped.
    var since: Date?
    var starts = 0
    /// Changes of the flags that were put into effect, and edits that were no flags, since the first start. Like
    /// `starts` they are counted without an end: what the file had may be anybody's.
    var applied = 0
    var rejected = 0
    /// Those in effect.
    var flags: [String: Bool] = [:]

    mutating func begin() {
        state = .running
        process = .current
        since = .now
        starts &+= 1
    }

    mutating func end() {
        state = .stopped
        process = nil
        since = .now
    }

    /// Refuses to go on where another daemon does.
    func refuseAnother() throws(Failure) {
        if let process, process != .current, process.isAlive {
            throw Failure("it runs already, as process \(process.pid)", exitCode: 75)
        }
    }

    /// Dates as people and programs read them.
    static var codec: GroupCodec<DaemonStatus> {
        .json(
            encoder: { $0.dateEncodingStrategy = .iso8601 },
            decoder: { $0.dateDecodingStrategy = .iso8601 })
    }
}
