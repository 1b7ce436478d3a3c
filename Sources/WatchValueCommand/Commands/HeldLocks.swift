import GroupFiles
import SystemCalls

/// The locks held by the outer updates whose COMMAND this process runs in: waiting for one would never end.
struct HeldLocks {
    /// Their paths, one per line.
    private static let pathsVariable = "WATCH_VALUE_LOCK"
    /// The IDs of the updates' processes. They belong to the last of the paths: a script that names a lock of its own
    /// gives no ID.
    private static let holdersVariable = "WATCH_VALUE_LOCK_HOLDERS"

    private let paths: String?
    private let holders: String?

    init() throws(Failure) {
        paths = try Environment.text(Self.pathsVariable)
        holders = try Environment.text(Self.holdersVariable)
    }

    /// The variables for COMMAND, with this process's lock added.
    func environment(adding file: GroupFile<JSONDocument>) -> [(String, String)] {
        let path = [paths, Self.path(of: file)].compactMap(\.self).joined(separator: "\n")
        let holder = [holders, Self.thisProcess].compactMap(\.self).joined(separator: " ")
        return [(Self.pathsVariable, path), (Self.holdersVariable, holder)]
    }

    private static var thisProcess: String? {
        do throws(Errno) { return try ProcessTable.identifier() } catch { return nil }  // There is no /proc.
    }

    func check(_ file: GroupFile<JSONDocument>, about name: String) throws(Failure) {
        guard let paths, isHeldFurtherOut(Self.path(of: file), paths) else { return }
        throw Failure(
            .usage, "this runs within an update of the same value, which holds the lock; print the value instead",
            about: name)
    }

    /// Decides by the ID of the lock's holder: processes that COMMAND leaves behind still have the variables when the
    /// update is over, and by then another process may hold the lock. Whether the holder is an ancestor does not decide
    /// it: an update also waits for orphans that may still print something.
    ///
    /// If the holder cannot be seen, or no ID was given for a path, a lock that the variable names counts as held
    /// further out if it is held at all: an error can be corrected, a wait that never ends cannot.
    private func isHeldFurtherOut(_ path: String, _ paths: String) -> Bool {
        do throws(Errno) {
            let lock = FileLock(try FileDescriptor.open(path, [.readOnly, .nonBlocking]))
            guard try lock.isTaken() else { return false }
            let holder = lock.holder()?.process
            let holders = holders?.split(separator: " ") ?? []
            if let holder, holders.contains(where: { Int32($0) == holder }) { return true }
            let identity = try lock.descriptor.status().identity
            return paths.split(separator: "\n").dropLast(holder == nil ? 0 : holders.count).contains {
                Self.identity(String($0)) == identity
            }
        } catch {
            return false  // There is no lock yet, or the attempt to take it will report why it fails.
        }
    }

    /// The path of a value's lock.
    private static func path(of file: GroupFile<JSONDocument>) -> String {
        let directory = Path.beforeLastSlash(file.path).map { $0 + "/" } ?? ""
        return directory + ControlDirectory.name + "/" + ControlName.lock(ofValue: Path.afterLastSlash(file.path))
    }

    private static func identity(_ path: String) -> FileIdentity? {
        do throws(Errno) { return try Path.status(of: path).identity } catch { return nil }
    }
}
