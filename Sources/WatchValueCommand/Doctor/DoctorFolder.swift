import SystemCalls

/// The folder in which a doctor measures; its name says whose it is.
enum DoctorFolder {
    /// This process's.
    static var name: String { name(of: CurrentProcess.identifier) }

    private static func name(of process: Int32) -> String { ".watch-value-doctor-\(process)" }

    /// Those of processes that were killed before they could remove them: this user's alone, for what lies in another's, and
    /// whether he still runs, may be hidden.
    static func abandoned(in directory: Directory) -> [String] {
        // Without /proc nobody seems to be alive.
        guard ProcessTable.isAlive(CurrentProcess.identifier) else { return [] }
        do throws(Errno) {
            return try directory.names().filter { isAbandoned($0, in: directory) }
        } catch {
            return []  // It may be entered and not listed.
        }
    }

    private static func isAbandoned(_ name: String, in directory: Directory) -> Bool {
        guard let process = name.split(separator: "-").last.flatMap({ Int32($0) }), name == self.name(of: process),
            !ProcessTable.isAlive(process)
        else { return false }
        do throws(Errno) {
            let status = try directory.status(of: name)
            return status.kind == .directory && status.owner == CurrentProcess.effectiveUser
        } catch {
            return false  // It is gone.
        }
    }
}
