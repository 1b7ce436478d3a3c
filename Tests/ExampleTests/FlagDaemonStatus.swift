import Foundation
import TestSupport
import Testing

/// What any program may know about the daemon.
struct FlagDaemonStatus: Decodable {
    static let group = "group.example.flag-daemon"

    struct Process: Decodable {
        var pid: Int32
    }

    var state: String
    var process: Process?
    var starts: Int
    var applied: Int
    var rejected: Int
    var flags: [String: Bool]

    var pid: Int32? { process?.pid }
}

extension Stage {
    /// The status, as soon as it meets the condition.
    func daemonStatus(where isRight: (FlagDaemonStatus) -> Bool = { _ in true }) async throws -> FlagDaemonStatus {
        var found: FlagDaemonStatus?
        let watching = try start("watch-value", "-g", FlagDaemonStatus.group, "status")
        _ = await watching.output.reach { lines in
            for line in lines {
                do {
                    let status = try JSONDecoder().decode(FlagDaemonStatus.self, from: Data(line.utf8))
                    if isRight(status) { found = status }
                } catch {
                    Issue.record(error)
                }
            }
            return found != nil
        }
        return try #require(found)
    }

    func setFlags(_ json: String) async throws {
        let outcome = try await run("watch-value", "-g", FlagDaemonStatus.group, "set", "flags", json)
        #expect(outcome.exit == .code(0), "\(outcome.errors)")
    }
}
