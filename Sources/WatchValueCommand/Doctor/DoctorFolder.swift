import SystemCalls

/// The folder in which a doctor measures; its name says to which process it belongs.
enum DoctorFolder {
    /// This process's.
    static var name: String { name(of: CurrentProcess.identifier) }

    private static func name(of process: Int32, _ attempt: Int = 0) -> String {
        attempt == 0 ? ".watch-value-doctor-\(process)" : ".watch-value-doctor-\(attempt)-\(process)"
    }

    /// Makes a folder, and pins it: where everybody may write, nothing that somebody else has made is taken for it. If a
    /// process in another namespace has the same number, and has made its own, this one gets another name.
    static func make(in directory: Directory) throws(Errno) -> (name: String, folder: Directory) {
        for attempt in 0..<Attempts.most {
            let name = name(of: CurrentProcess.identifier, attempt)
            do throws(Errno) { try directory.makeDirectory(name, permissions: 0o700) } catch .exists { continue }
            do throws(Errno) {
                let folder = try Directory(name, in: directory)
                // What is just made is empty: where others may move it away, no user's container is taken for it.
                guard isOwn(folder, in: directory), try folder.names().isEmpty else { throw .notPermitted }
                return (name, folder)
            } catch {
                do throws(Errno) { try directory.removeDirectory(name) } catch {}
                throw error
            }
        }
        throw .exists
    }

    /// Whether it is the folder that was just made: nobody else can have put another one in its place. Some file
    /// systems report one owner for all files, hence the directory's owner.
    private static func isOwn(_ folder: Directory, in directory: Directory) -> Bool {
        let isClosed = directory.permissions & 0o022 == 0
        return isClosed || [CurrentProcess.effectiveUser, directory.owner].contains(folder.owner)
    }

    /// The folders of processes that were killed before they could remove them. Only this user's folders: the content
    /// of another user's folder, and whether its process still runs, may be hidden.
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
        guard let process = name.split(separator: "-").last.flatMap({ Int32($0) }),
            (0..<Attempts.most).contains(where: { name == self.name(of: process, $0) }), !ProcessTable.isAlive(process)
        else { return false }
        do throws(Errno) {
            let status = try directory.status(of: name)
            return status.kind == .directory && status.owner == CurrentProcess.effectiveUser
        } catch {
            return false  // It is gone.
        }
    }
}
