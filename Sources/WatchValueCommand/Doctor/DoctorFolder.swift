import SystemCalls

/// The folder in which a doctor measures; its name says to which process it belongs.
enum DoctorFolder {
    /// This process's.
    static var name: String { name(of: CurrentProcess.identifier) }

    private static func name(of process: Int32) -> String { ".watch-value-doctor-\(process)" }

    /// The folders of processes that were killed before they could remove them. Only this user's: the content of
    /// another user's folder, and whether its process still runs, may be hidden.
    static func abandoned(in directory: Directory) -> [String] {
        // Without /proc no process seems to be alive.
        guard ProcessTable.isAlive(CurrentProcess.identifier) else { return [] }
        do throws(Errno) {
            return try directory.names().filter { isAbandoned($0, in: directory) }
        } catch {
            return []  // The directory may be entered, but not listed.
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
