import ExampleSupport
import Foundation
import GroupFiles

/// What others can know about the daemon.
struct DaemonStatus: Codable, Sendable {
    enum State: String, Codable {
        case running
        case stopped
    }

    var state = State.stopped
    /// The process that is running, or that was killed before it could report its end.
    var process: ProcessIdentity?
    /// When it started, or stopped.
    var since: Date?
    var starts = 0
    /// Changes of the flags that were put into effect, and edits that were not valid flags, since the first start. Like
    /// `starts` they wrap around instead of overflowing: the file may hold any number.
    var applied = 0
    var rejected = 0
    /// The flags in effect.
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

    /// Throws if another daemon is running.
    func refuseAnother() throws(Failure) {
        if let process, process != .current, process.isAlive {
            throw Failure("it is already running, as process \(process.pid)", exitCode: 75)
        }
    }

    /// With dates in a form that both people and programs can read.
    static var codec: GroupCodec<DaemonStatus> {
        .json(
            encoder: { $0.dateEncodingStrategy = .iso8601 },
            decoder: { $0.dateDecodingStrategy = .iso8601 })
    }
}
