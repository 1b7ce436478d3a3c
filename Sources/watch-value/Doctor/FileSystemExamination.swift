import GroupFiles
import JSONText
import SystemCalls

/// The file system, and whether it tells of changes.
enum FileSystemExamination {
    static func finding(_ directory: String) -> Finding {
        let subject = "file system"
        let type: String
        do throws(Errno) {
            type = try ProcessTable.fileSystem(of: directory)?.type ?? "unknown"
        } catch {
            return Finding(
                level: .problem, subject: subject, text: "cannot be found out: \(error)",
                advice: "check the permissions of \(directory)")
        }
        let fact = JSONObject.Member("type", .string(type))
        switch health(of: directory) {
        case .success(.polling(let reason)):
            return Finding(
                level: .problem, subject: subject,
                text: "\(type): changes are not told, but looked for every 250 ms to 2 s: \(reason)",
                advice: "put the container on a local file system with GROUP_CONTAINERS or --container",
                facts: [fact, JSONObject.Member("events", .bool(false))])
        case .success:
            return Finding(
                level: .good, subject: subject, text: "\(type): changes are told at once",
                facts: [fact, JSONObject.Member("events", .bool(true))])
        case .failure(let failure):
            return Finding(
                level: .problem, subject: subject, text: "\(type): \(failure.message)",
                advice: "check the permissions of \(directory)", facts: [fact])
        }
    }

    /// How a watcher of a value there would be told.
    private static func health(of directory: String) -> Result<GroupFileHealth, Failure> {
        Result { () throws(Failure) in
            var arguments = Arguments(.doctor)
            arguments.set(.container, directory)
            return try Location("doctor", arguments).openForReading(notifies: true).health
        }
    }
}
