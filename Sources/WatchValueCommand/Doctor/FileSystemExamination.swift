import FileEvents
import GroupFiles
import JSONText
import SystemCalls

/// The file system, whether it can be written to, and whether it notifies of changes.
enum FileSystemExamination {
    static func finding(_ directory: String) -> Finding {
        let subject = "file system"
        let type: String
        do throws(Errno) {
            type = try ProcessTable.fileSystem(of: directory) ?? "unknown"
        } catch {
            return Finding(
                level: .problem, subject: subject, text: "cannot be found out: \(error)",
                advice: Finding.advice(on: error, isInProc: true, else: "check the permissions of \(directory)"))
        }
        let fact = JSONObject.Member("type", .string(type))
        if isReadOnly(directory) {
            return Finding(
                level: .problem, subject: subject, text: "\(type): mounted read-only, so no value can be written",
                advice: "mount it for writing, or choose another place with GROUP_CONTAINERS or --container",
                facts: [fact])
        }
        switch health(of: directory) {
        case .success(.polling(let reason)):
            return Finding(
                level: .problem, subject: subject,
                text: "\(type): changes are not reported; polling every 250 ms to 2 s: \(reason)",
                advice: advice(directory),
                facts: [fact, JSONObject.Member("events", .bool(false))])
        case .success:
            return Finding(
                level: .good, subject: subject, text: "\(type): changes are reported at once",
                facts: [fact, JSONObject.Member("events", .bool(true))])
        case .failure(let failure):
            return Finding(
                level: .problem, subject: subject, text: "\(type): \(failure.message)",
                advice: "check the permissions of \(directory)", facts: [fact])
        }
    }

    /// Tries to remove a file that is not there: the kernel reports a read-only mount before it reports a missing file.
    static func isReadOnly(_ directory: String) -> Bool {
        do throws(Errno) {
            try Directory(path: directory).unlink(DoctorFolder.name)
        } catch {
            return error == .readOnlyFileSystem
        }
        return false
    }

    /// What to do if the kernel does not report changes, depending on why it refuses to, if it does. Nil where the
    /// reason itself says what is lacking.
    private static func advice(_ directory: String) -> String? {
        if ThreadPool.shared.lacksSupervisor { return nil }
        do throws(Errno) {
            _ = try Inotify().add(directory, mask: [.closeWrite, .onlyDirectory])
        } catch .accessDenied {
            return "run it as the owner of \(directory), or get the permission to list it"
        } catch .noSpace {
            return "\(InotifyExamination.remedy(.watches)), or end what holds so many"
        } catch .tooManyOpenFiles {
            return "\(InotifyExamination.remedy(.instances)), or end what holds so many; see ulimit -n, too"
        } catch {}
        return "put the container on a local file system with GROUP_CONTAINERS or --container"
    }

    /// How a watcher of a value there would learn of changes.
    private static func health(of directory: String) -> Result<GroupFileHealth, Failure> {
        Result { () throws(Failure) in
            try Location("doctor", in: directory).openForReading(notifies: true).health
        }
    }
}
